/**
 * Replacer of `JSON.stringify` for query values: repairs unpaired surrogates, which a browser can send and PostgreSQL
 * refuses.
 */
export const wholeText = (_name: string, value: unknown) =>
  typeof value === "string" ? value.toWellFormed() : value;

/** Replacer for objects whose field names come from a browser too. */
export function wholeTextAndNames(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wholeText(name, value);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key.toWellFormed(), held]));
}
