import {
  type BodyOf,
  bases,
  type Contract,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from "@malote/contracts/contract";
import { type ErrorCode, type ErrorData, errorText, isErrorCode } from "@malote/contracts/errors";
import { reportFailure } from "./reporting.ts";
import { readToken } from "./session.ts";
import { fetchWithProgress, type UploadProgress } from "./upload.ts";

type Given<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Partial<Value> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call takes: exactly what its contract names, nothing else. */
export type CallInput<C extends Contract> = Given<"params", ParamsOf<C>> &
  Given<"query", QueryOf<C>> &
  (C extends { transport: "multipart" }
    ? { body: FormData; onUploadProgress?: UploadProgress }
    : Given<"body", BodyOf<C>>) &
  (C extends { idempotent: true } ? { idempotencyKey: string } : { idempotencyKey?: string }) & {
    signal?: AbortSignal;
  };

export const offlineText = "Você parece estar offline";

/** Everything that can go wrong with a call, in one shape. `status` 0 means that no answer came. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly errorCode: ErrorCode | undefined;
  readonly data: ErrorData | null;
  readonly requestId: string | undefined;

  constructor(facts: {
    status: number;
    message: string;
    code?: string | undefined;
    data?: ErrorData | null;
    requestId?: string | undefined;
  }) {
    super(facts.message);
    this.name = "CallError";
    this.status = facts.status;
    this.code = facts.code;
    this.errorCode = isErrorCode(facts.code) ? facts.code : undefined;
    this.data = facts.data ?? null;
    this.requestId = facts.requestId;
  }
}

/** Tries to get a fresh token after a 401; answers whether the call may be repeated. Set once by the session keeper. */
type SessionRescue = (refusedToken: string | null) => Promise<boolean>;
let rescueSession: SessionRescue = async () => false;
export function onSessionRefused(rescue: SessionRescue): void {
  rescueSession = rescue;
}

/** Does one call of the contract and answers its body; every failure is a CallError. */
export async function call<const C extends Contract>(
  contract: C,
  ...[input]: Record<string, never> extends CallInput<C> ? [input?: CallInput<C>] : [input: CallInput<C>]
): Promise<ResponseOf<C>> {
  const request = (input ?? {}) as AnyInput;
  const token = readToken();
  const first = await send(contract, request, token);
  const refused = first.status === 401 && contract.policy.access === "session";
  // The server refused before doing anything, so repeating with a fresh token cannot act twice.
  const response =
    refused && (await rescueSession(token)) ? await send(contract, request, readToken()) : first;
  if (!response.ok) throw await failureOf(contract, response);
  return (await bodyOf(contract, response)) as ResponseOf<C>;
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  onUploadProgress?: UploadProgress;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export function addressOf(
  contract: Contract,
  { params = {}, query = {} }: Pick<AnyInput, "params" | "query">,
): string {
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  // Several values of one filter go as a repeated parameter.
  const pairs = given.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  );
  const search = new URLSearchParams(pairs).toString();
  return `${bases[contract.base]}${path}${search ? `?${search}` : ""}`;
}

async function send(contract: Contract, input: AnyInput, token: string | null): Promise<Response> {
  const isForm = input.body instanceof FormData;
  const headers = new Headers({ accept: "application/json" });
  if (token && contract.policy.access !== "public") headers.set("authorization", `Bearer ${token}`);
  if (input.idempotencyKey) headers.set("idempotency-key", input.idempotencyKey);
  if (input.body !== undefined && !isForm) headers.set("content-type", "application/json");
  const body =
    input.body === undefined ? null : isForm ? (input.body as FormData) : JSON.stringify(input.body);
  const request = {
    method: contract.method,
    headers,
    body,
    signal: input.signal ?? null,
    credentials: "same-origin",
  } as const;
  try {
    const address = addressOf(contract, input);
    return await (input.onUploadProgress
      ? fetchWithProgress(address, request, input.onUploadProgress)
      : fetch(address, request));
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new CallError({ status: 0, message: offlineText });
  }
}

async function bodyOf(contract: Contract, response: Response): Promise<unknown> {
  if (contract.transport === "file") return response.blob();
  if (response.status === 204) return response.text();
  return response.json();
}

async function failureOf(contract: Contract, response: Response): Promise<CallError> {
  const answer = await response.json().catch(() => ({}));
  const { code, message, data = null, requestId } = answer as Record<string, never>;
  const name: string | undefined = (answer as { errorCode?: string }).errorCode ?? code;
  // A code we know speaks our own words; without one the raw message is kept for the caller to decide (SES-067).
  const isServerFault = response.status >= 500 && name !== "unavailable";
  const text = isServerFault ? errorText("internal") : name ? errorText(name, data) : String(message ?? "");
  const failure = new CallError({ status: response.status, message: text, code: name, data, requestId });
  reportFailure({ callId: contract.id, status: response.status, code: name, requestId });
  return failure;
}

/**
 * The sentence to show for any error (SES-064 to SES-067): a code's own text, else what the action says, else the raw
 * message. Nothing at all when the person cancelled the call.
 */
export function errorSentence(error: unknown, fallback?: string): string | undefined {
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  if (!(error instanceof CallError)) return fallback ?? errorText("internal");
  if (error.status === 0 || error.status >= 500 || error.code) return error.message;
  return fallback ?? (error.message || undefined);
}
