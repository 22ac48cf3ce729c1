import type { ErrorCode, ErrorData } from "@malote/contracts/errors";

/** Refusal by a business rule, with a code of the catalogue. Any other thrown value is a bug and becomes a 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData | null;
  constructor(code: ErrorCode, data: ErrorData | null = null) {
    super(code);
    this.code = code;
    this.data = data;
  }
}
