/**
 * Signs with which a spreadsheet program starts to calculate, also in their full-width form. What nobody sees before them
 * does not count: a program may throw it away and calculate.
 */
const startsFormula = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@|%＝＋－＠]/u;

/**
 * Makes a text harmless in a CSV file: Excel shows an apostrophe and does not calculate. A text that already begins
 * with apostrophes gets one more, so that taking one away always gives the text back.
 */
export function guardFormula(text: string): string {
  return startsFormula.test(text) ? `'${text}` : text;
}

/** Takes away exactly what `guardFormula` added. */
export function removeFormulaGuard(text: string): string {
  return text.startsWith("'") && startsFormula.test(text) ? text.slice(1) : text;
}
