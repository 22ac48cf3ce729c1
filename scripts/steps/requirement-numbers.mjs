/** Numbers of requirements in pages and test titles. */

/** Returns the requirements that a page defines: the number is at the start of the line. */
export const requirementsIn = (page) =>
  [...page.matchAll(/^- \*\*([A-Z]{3}-\d{3})/gm)].map((match) => match[1] ?? "");

/** Returns the requirements that a test title claims: only the numbers at its start. */
export function numbersOf(title) {
  const opening = /^(?:[A-Z]{3}-\d{3}[\s,]+)+/.exec(title)?.[0] ?? "";
  return opening.match(/[A-Z]{3}-\d{3}/g) ?? [];
}
