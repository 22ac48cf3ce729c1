/** PostgreSQL stops, starts, or has no room for another client. Trying again soon is the right advice. */
const codes = new Set([
  "57P01",
  "57P02",
  "57P03",
  // Waited too long for a lock, or ran too long altogether.
  "55P03",
  "57014",
  // Ran into others, also after trying again.
  "40001",
  "40P01",
  "08000",
  "08003",
  "08006",
  "08001",
  "53200",
  "53300",
  "53400",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
]);
const texts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The disk of the files or of the database is full. */
const outOfSpaceCodes = new Set(["ENOSPC", "EDQUOT", "53100"]);

export const isOutOfSpace = (error: unknown): boolean =>
  outOfSpaceCodes.has(String((error as { code?: unknown }).code));

/** True when the query was valid and only the moment was wrong. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return codes.has(String(code)) || isOutOfSpace(error) || texts.test(String(message));
}
