/** As one line with single spaces: what a form, a paste from a document and a sheet agree on. */
export function normalisePersonName(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .trim()
    .replace(/\s+/g, " ");
}

/** ACC-006: a person is known by two names at least. */
export function isFullName(text: string): boolean {
  return normalisePersonName(text).split(" ").length >= 2;
}
