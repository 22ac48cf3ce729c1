/**
 * Texts that people typed, made fit for a receipt's font. The standard fonts of PDF hold the letters of Windows-1252,
 * which include all of Portuguese; any other letter is shown by its plain one, or by a question mark.
 */

/** What Windows-1252 has beyond Latin-1. */
const extraSigns = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const known = (sign: string) => /[ -~\u00a1-\u00ac\u00ae-ÿ]/.test(sign) || extraSigns.includes(sign);

/** Letters that are no plain letter with a mark, so that taking marks away leaves them as they are. */
const plainLetters: Readonly<Record<string, string>> = { Ł: "L", ł: "l", Đ: "D", đ: "d", ı: "i" };

function plainOf(sign: string): string {
  const plain = [...(plainLetters[sign] ?? sign).normalize("NFKD")].filter(known).join("");
  return plain || "?";
}

/** One line without anything unseen: breaks, signs that turn the direction of reading, half characters. */
export function printable(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return Array.from(clean, (sign) => (known(sign) ? sign : plainOf(sign))).join("");
}
