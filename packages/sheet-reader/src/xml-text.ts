const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const entityLengthMax = 10;

/**
 * Decodes the five entities of XML and numeric references. No others exist, because a document type is refused: an
 * unknown name stays unchanged.
 */
export function decodeEntities(text: string): string {
  let ampersandAt = text.indexOf("&");
  if (ampersandAt < 0) return text;
  let decoded = "";
  let copiedTo = 0;
  while (ampersandAt >= 0) {
    // The search is bounded: looking for a semicolon up to the end would be quadratic in a text of ampersands.
    const name = text.slice(ampersandAt + 1, ampersandAt + 1 + entityLengthMax);
    const nameLength = name.indexOf(";");
    const character = nameLength < 0 ? undefined : readEntity(name.slice(0, nameLength));
    if (character !== undefined) {
      decoded += text.slice(copiedTo, ampersandAt) + character;
      copiedTo = ampersandAt + nameLength + 2;
    }
    ampersandAt = text.indexOf("&", character === undefined ? ampersandAt + 1 : copiedTo);
  }
  // Half a surrogate pair is not valid text, and the database refuses it.
  return (decoded + text.slice(copiedTo)).toWellFormed();
}

function readEntity(name: string): string | undefined {
  if (Object.hasOwn(namedEntities, name)) return namedEntities[name];
  if (!name.startsWith("#")) return undefined;
  const isHex = name[1] === "x" || name[1] === "X";
  const digits = name.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(digits)) return undefined;
  const codePoint = Number.parseInt(digits, isHex ? 16 : 10);
  return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}

/**
 * Decodes `_x000D_`, Office's form of characters that XML cannot hold. NUL is dropped, because the database cannot hold
 * it either.
 */
export function decodeOfficeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  const decoded = text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    hex === "0000" ? "" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.toWellFormed();
}
