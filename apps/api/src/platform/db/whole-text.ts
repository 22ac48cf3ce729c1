/**
 * For `JSON.stringify` of a query's values: half a surrogate pair, which a browser can send, is no text for
 * PostgreSQL.
 */
export const wholeText = (_name: string, value: unknown) =>
  typeof value === "string" ? value.toWellFormed() : value;

/** The same where the names of fields are a browser's as well. */
export function wholeTextAndNames(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wholeText(name, value);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key.toWellFormed(), held]));
}
