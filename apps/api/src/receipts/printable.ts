/**
 * Converts user text for a receipt's font. The standard PDF fonts contain the letters of Windows-1252, which include
 * all of Portuguese; any other letter becomes its base letter or a question mark.
 */

/** Characters of Windows-1252 beyond Latin-1. */
const extraSigns = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const known = (sign: string) => /[ -~\u00a1-\u00ac\u00ae-ÿ]/.test(sign) || extraSigns.includes(sign);

/** Letters that normalisation does not decompose, with their base letters. */
const plainLetters: Readonly<Record<string, string>> = { Ł: "L", ł: "l", Đ: "D", đ: "d", ı: "i" };

function plainOf(sign: string): string {
  const plain = [...(plainLetters[sign] ?? sign).normalize("NFKD")].filter(known).join("");
  return plain || "?";
}

/** Returns one line without invisible characters: line breaks, direction marks, unpaired surrogates. */
export function printable(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return Array.from(clean, (sign) => (known(sign) ? sign : plainOf(sign))).join("");
}
