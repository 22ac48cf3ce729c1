import { ofApprovals } from "./errors/approvals.ts";
import { ofCalls } from "./errors/calls.ts";
import { ofCompany } from "./errors/company.ts";
import { ofFiles } from "./errors/files.ts";
import { ofPayouts } from "./errors/payouts.ts";
import { ofPixKeys } from "./errors/pix-keys.ts";
import { ofReceiving } from "./errors/receiving.ts";
import type { Refusal } from "./errors/refusal.ts";

/**
 * Catalogue of refusals (SES-061, SES-066, SES-068): code → HTTP status and Portuguese sentence, with one file per part
 * of the product. No other table defines refusals. `{name}` in a sentence is filled from the error's data, and
 * `{name:one|many}` with the word that fits its number, which replaces `#`.
 */
export const errors = {
  ...ofCalls,
  ...ofPayouts,
  ...ofApprovals,
  ...ofFiles,
  ...ofReceiving,
  ...ofPixKeys,
  ...ofCompany,
} as const;

export type ErrorCode = keyof typeof errors;

export type ErrorData = Record<string, unknown>;

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  errorCode: ErrorCode;
  data: ErrorData | null;
  requestId: string;
}

/** Returns the seconds after which the caller should retry, where the refusal defines a time. */
export function retryAfterOf(code: ErrorCode, data: ErrorData | null): number | undefined {
  const [, , more]: Refusal = errors[code];
  return more?.retryAfter === "minutes" ? Number(data?.["minutes"] ?? 1) * 60 : more?.retryAfter;
}

export const statusOf = (code: ErrorCode): number => errors[code][0];

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errors, code);
}

/**
 * Returns the Portuguese sentence of a code with its data filled in; for an unknown code, the generic sentence
 * (SES-066).
 */
export function errorText(code: unknown, data?: ErrorData | null): string {
  if (!isErrorCode(code)) return errors.internal[1];
  return errors[code][1].replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      const value = data?.[name];
      if (one !== undefined && many !== undefined)
        return value === 1 ? one : many.replace("#", String(value ?? ""));
      return Array.isArray(value) ? value.join(", ") : String(value ?? "");
    },
  );
}
