import type { ErrorCode, ErrorData } from "@malote/contracts/errors";

/**
 * A refusal: a rule of the business forbids it, with a code of the catalogue. Anything else that is thrown is a bug
 * and becomes a 500.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData | null;
  constructor(code: ErrorCode, data: ErrorData | null = null) {
    super(code);
    this.code = code;
    this.data = data;
  }
}
