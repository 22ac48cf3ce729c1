/** For `JSON.stringify` of what goes into a query: half a character, which a browser can send, is no text for PostgreSQL. */
export const wholeText = (_name: string, value: unknown) =>
  typeof value === "string" ? value.toWellFormed() : value;
