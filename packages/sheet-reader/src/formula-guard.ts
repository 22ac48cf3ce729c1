/**
 * Characters with which a spreadsheet program starts a formula, including their full-width forms. Invisible characters
 * before them are ignored, because a program may drop them and calculate, and so are quotes, which a program may
 * consume.
 */
const startsFormula = /^['"\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠]/u;

const sign = /[=+\-@|%＝＋－＠]/;
const unseen = /['"\s\p{Cc}\p{Cf}]/u;
/**
 * Characters at which some program begins a new cell, because our files may be opened with separators other than
 * theirs.
 */
const separators = new Set([",", ";", "\t", "\r", "\n"]);
const mayPart = /[,;\t\r\n]/;

/**
 * Makes a text harmless in a CSV file by an apostrophe, which makes a program show it instead of calculating: at the
 * start of the text, and where a program that splits at commas or tabs would begin a cell in the middle of it. A text
 * that already has apostrophes there gets one more, so that removing one always restores the text.
 */
export function guardFormula(text: string): string {
  const inside = mayPart.test(text) ? eachLivePart(text, (after) => `'${after}`) : text;
  return startsFormula.test(text) ? `'${inside}` : inside;
}

/** Removes exactly the apostrophes that `guardFormula` added. */
export function removeFormulaGuard(text: string): string {
  if (!text.includes("'")) return text;
  const isGuarded = text.startsWith("'") && startsFormula.test(text);
  const guarded = isGuarded ? text.slice(1) : text;
  return mayPart.test(guarded) ? eachLivePart(guarded, (after) => after.replace(/^'/, "")) : guarded;
}

/**
 * Changes the text after each separator that precedes a formula, up to the next such separator. It works from the end
 * to the start, so that a long text of separators takes no longer than any other.
 */
function eachLivePart(text: string, change: (after: string) => string): string {
  if (!sign.test(text)) return text;
  const parts: string[] = [];
  let live = false;
  let end = text.length;
  for (let at = text.length; at > 0; ) {
    // A fast path without a pattern for nearly all characters of a long text.
    if (isPlainLetter(text.charCodeAt(at - 1))) {
      live = false;
      at--;
      continue;
    }
    const isPair = at > 1 && /[\udc00-\udfff]/.test(text.charAt(at - 1));
    const from = isPair ? at - 2 : at - 1;
    const character = text.slice(from, at);
    if (separators.has(character) && live) {
      parts.push(change(text.slice(at, end)));
      end = at;
    }
    live = sign.test(character) || (live && unseen.test(character));
    at = from;
  }
  parts.push(text.slice(0, end));
  return parts.reverse().join("");
}

const isPlainLetter = (code: number) =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
