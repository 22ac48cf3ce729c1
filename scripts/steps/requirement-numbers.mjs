/** Where requirements are defined and named. */

/** The requirements a page defines: each opens its line with its number. */
export const requirementsIn = (page) =>
  [...page.matchAll(/^- \*\*([A-Z]{3}-\d{3})/gm)].map((match) => match[1] ?? "");

/** The requirements a test title claims: the numbers it starts with, and none further on. */
export function numbersOf(title) {
  const opening = /^(?:[A-Z]{3}-\d{3}[\s,]+)+/.exec(title)?.[0] ?? "";
  return opening.match(/[A-Z]{3}-\d{3}/g) ?? [];
}
