/** Codes of a PostgreSQL that stops, starts or has no free connection. The client should retry soon. */
const codes = new Set([
  "57P01",
  "57P02",
  "57P03",
  // Timeout of a lock or of a statement.
  "55P03",
  "57014",
  // Conflict with another transaction, after the retries.
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

/** Codes for a full disk of the files or of the database. */
const outOfSpaceCodes = new Set(["ENOSPC", "EDQUOT", "53100"]);

export const isOutOfSpace = (error: unknown): boolean =>
  outOfSpaceCodes.has(String((error as { code?: unknown }).code));

/** Returns true when the query was valid and the failure is temporary. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return codes.has(String(code)) || isOutOfSpace(error) || texts.test(String(message));
}
