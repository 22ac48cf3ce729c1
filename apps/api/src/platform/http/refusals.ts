/** The only handler that writes errors: one format, one table, no technical terms. */
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorData,
  errorText,
  retryAfterOf,
  statusOf,
} from "@malote/contracts/errors";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { AppError } from "../app-error.ts";
import { ClientGone } from "../concurrency/fair-semaphore.ts";
import { isOutOfSpace, isUnavailable } from "../db/unavailable.ts";
import { clientLeftStatus } from "./call-ends.ts";

/** Error codes of a zero character: it is valid JSON but not valid PostgreSQL text, neither plain nor in jsonb. */
const notTextCodes = new Set(["22021", "22P05"]);

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_REQ_FILE_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "unsupported_media_type",
};

/** Formats a size, rounded down so that a file of the stated size fits. */
const megabytes = (bytes: number) => `${Math.max(1, Math.floor(bytes / 1_000_000))} MB`;

function classify(
  error: FastifyError | AppError,
  bodyLimit: number,
): { code: ErrorCode; data: ErrorData | null } {
  if (error instanceof AppError) return { code: error.code, data: error.data };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map(
      (problem) => problem.instancePath.replace(/^\//, "").replaceAll("/", ".") || "corpo",
    );
    return { code: "invalid_request", data: { fields: [...new Set(fields)] } };
  }
  const known = fastifyCodes[error.code];
  if (known === "payload_too_large") return { code: known, data: { limit: megabytes(bodyLimit) } };
  if (known) return { code: known, data: null };
  if (error.statusCode === 429) return { code: "too_many_requests", data: null };
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return { code: "invalid_request", data: { fields: ["corpo"] } };
  }
  if (notTextCodes.has(error.code)) return { code: "invalid_request", data: { fields: ["corpo"] } };
  if (isOutOfSpace(error)) return { code: "no_space", data: null };
  if (isUnavailable(error)) return { code: "unavailable", data: null };
  return { code: "internal", data: null };
}

export function sendError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  // No one reads this answer; the request log has the call already.
  if (error instanceof ClientGone) return reply.code(clientLeftStatus).send();
  const { code, data } = classify(error, request.routeOptions.bodyLimit ?? 0);
  if (code === "internal") request.log.error({ err: error }, "unexpected error");
  if (code === "no_space") request.log.error({ err: error }, "no space left");
  const retryAfter = retryAfterOf(code, data);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  const body: ErrorBody = {
    code,
    message: errorText(code, data),
    errorCode: code,
    data,
    requestId: request.id,
  };
  return reply.code(statusOf(code)).type("application/json; charset=utf-8").send(body);
}
