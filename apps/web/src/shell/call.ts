import type { Check } from "@malote/contracts/checks";
import type { BodyOf, Contract, ParamsOf, QueryOf, ResponseOf } from "@malote/contracts/contract";
import type { ErrorCode, ErrorData } from "@malote/contracts/errors";
import type { Issue } from "@malote/domain/issues";
import { noteSystemTime } from "../ui/system-time.ts";
import { baseOf } from "./api-bases.ts";
import { loadPart } from "./load-part.ts";
import { reportFailure } from "./reporting.ts";
import { readSession, readToken } from "./session.ts";
import { fetchWithProgress, type UploadProgress } from "./upload.ts";

type Given<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Partial<Value> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** Input of a call: exactly what its contract names. */
export type CallInput<C extends Contract> = Given<"params", ParamsOf<C>> &
  Given<"query", QueryOf<C>> &
  (C extends { transport: "multipart" }
    ? { body: FormData; onUploadProgress?: UploadProgress }
    : Given<"body", BodyOf<C>>) &
  (C extends { idempotent: true } ? { idempotencyKey: string } : { idempotencyKey?: string }) & {
    signal?: AbortSignal;
  };

/** Answer of a call: the bytes of a file, the events of a stream, and otherwise what the contract says. */
export type AnswerOf<C extends Contract> = C extends { transport: "file" }
  ? Blob
  : C extends { transport: "stream" }
    ? ReadableStream<BufferSource>
    : ResponseOf<C>;

export const offlineText = "Você parece estar offline";

/** Sentence of "internal", needed even when the catalogue cannot be fetched. */
export const generalText = "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso.";

/** Every failure of a call, in one shape. `status` 0 means that no answer came. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly errorCode: ErrorCode | undefined;
  readonly data: ErrorData | null;
  readonly requestId: string | undefined;
  /**
   * True when the person closed the dialog that asked for a password, a code or confirmations: nothing was done, and
   * nothing failed.
   */
  readonly isLeft: boolean;

  constructor(facts: {
    status: number;
    message: string;
    code?: string | undefined;
    errorCode?: ErrorCode | undefined;
    data?: ErrorData | null;
    requestId?: string | undefined;
    isLeft?: boolean;
  }) {
    super(facts.message);
    this.name = "CallError";
    this.status = facts.status;
    this.code = facts.code;
    this.errorCode = facts.errorCode;
    this.data = facts.data ?? null;
    this.requestId = facts.requestId;
    this.isLeft = facts.isLeft ?? false;
  }
}

/** Still the same refusal, for callers that need to know that nothing was done; only its message is not shown. */
const asLeft = (refusal: CallError): CallError =>
  new CallError({ ...refusal, message: refusal.message, isLeft: true });

export const wasLeft = (error: unknown): boolean => error instanceof CallError && error.isLeft;

/** Tries to get a fresh token after a 401; returns whether the call may be repeated. Set once by the session keeper. */
type SessionRescue = (refusedToken: string | null) => Promise<boolean>;
let rescueSession: SessionRescue = async () => false;
export function onSessionRefused(rescue: SessionRescue): void {
  rescueSession = rescue;
}

/**
 * Asks for the password again after `identity_unconfirmed`; returns whether the call may be repeated. Set once by the
 * session keeper.
 */
let confirmIdentity: (() => Promise<boolean>) | undefined;
export function onIdentityAsked(confirm: (() => Promise<boolean>) | undefined): void {
  confirmIdentity = confirm;
}

/**
 * Called when the company began to demand the second factor while this page was open (SES-046). Set once by the router.
 */
let demandSecondFactor: () => void = () => undefined;
export function onSecondFactorDemanded(demand: () => void): void {
  demandSecondFactor = demand;
}

/** Sends one call of the contract and returns its body; every failure is a CallError. */
export async function call<const C extends Contract>(
  contract: C,
  ...[input]: Record<string, never> extends CallInput<C> ? [input?: CallInput<C>] : [input: CallInput<C>]
): Promise<AnswerOf<C>> {
  const request = (input ?? {}) as AnyInput;
  const token = readToken();
  const first = await send(contract, request, token);
  const refused = first.status === 401 && contract.policy.access === "session";
  const isRescued = refused && (await rescueSession(token));
  // SES-063: a refusal that is not shown is reported as well.
  if (isRescued) void failureOf(contract, first);
  // The server refused before doing anything, so repeating with a fresh token cannot act twice.
  const response = isRescued ? await send(contract, request, readToken()) : first;
  const answered = response.ok ? response : await askAndRepeat(contract, request, response);
  return (await bodyOf(contract, answered)) as AnswerOf<C>;
}

/** The server refused before doing anything, so the call is repeated with what the person provides. */
async function askAndRepeat(contract: Contract, request: AnyInput, refused: Response): Promise<Response> {
  const failure = await failureOf(contract, refused);
  if (failure.code === "second_factor_required") demandSecondFactor();
  if (failure.code !== "identity_unconfirmed") return withAnswers(contract, request, failure);
  if (!confirmIdentity) throw failure;
  if (!(await confirmIdentity())) throw asLeft(failure);
  const again = await send(contract, request, readToken());
  if (!again.ok) throw await failureOf(contract, again);
  return again;
}

/** Repeats the call under the same key with the person's input: a code, confirmations by name, or both. */
async function withAnswers(contract: Contract, request: AnyInput, first: CallError): Promise<Response> {
  let given = request;
  for (let failure = first; ; ) {
    const ask = questionOf(contract, given, failure);
    if (!ask) throw failure;
    const more = await ask();
    if (!more) throw asLeft(first);
    given = { ...given, ...more };
    const response = await send(contract, given, readToken());
    if (response.ok) return response;
    failure = await failureOf(contract, response);
  }
}

function questionOf(
  contract: Contract,
  { body }: AnyInput,
  { code, message, data }: CallError,
): (() => Promise<Partial<AnyInput> | undefined>) | undefined {
  if (contract.stepUp && (code === "step_up_required" || code === "second_factor_invalid"))
    return async () => {
      const { askForCode } = await loadPart(() => import("./step-up.tsx"));
      const typed = await askForCode(code === "second_factor_invalid" ? message : undefined);
      return typed === undefined ? undefined : { code: typed };
    };
  const checks = (data?.["checks"] ?? []) as Check[];
  // A batch's screen shows the findings to confirm; for resent payments the refusal carries them.
  if (code !== "checks_not_confirmed" || !checks[0]?.findings) return undefined;
  return async () => {
    const { askForTicks } = await loadPart(() => import("./ticks.tsx"));
    const ticked = await askForTicks(checks);
    const { confirmations = [] } = (body ?? {}) as { confirmations?: object[] };
    return ticked && { body: { ...(body as object), confirmations: [...confirmations, ...ticked] } };
  };
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  onUploadProgress?: UploadProgress;
  idempotencyKey?: string;
  /** Code of the second factor. */
  code?: string;
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
    ([, value]) => value !== undefined && value !== null && (value !== "" || contract.sendsEmpty),
  );
  // Several values of one filter become a repeated parameter.
  const pairs = given.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
  );
  const search = new URLSearchParams(pairs).toString();
  return `${baseOf(contract.base)}${path}${search ? `?${search}` : ""}`;
}

/**
 * A page of the application that is being left may still call, by its polling or again after a 401. With the other
 * application's token the call would be refused, so it counts as cancelled.
 */
function expectOwnApplication({ policy }: Contract): void {
  const application = policy.access === "session" ? readSession()?.application.id : undefined;
  if (policy.access === "session" && application && !policy.applications.includes(application))
    throw new DOMException("asked by a page of another application", "AbortError");
}

async function send(contract: Contract, input: AnyInput, token: string | null): Promise<Response> {
  expectOwnApplication(contract);
  const isForm = input.body instanceof FormData;
  const headers = new Headers({
    accept: contract.transport === "stream" ? "text/event-stream" : "application/json",
  });
  if (token && contract.policy.access !== "public") headers.set("authorization", `Bearer ${token}`);
  if (input.idempotencyKey) headers.set("idempotency-key", input.idempotencyKey);
  if (input.code) headers.set("second-factor-code", input.code);
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
    const response = await (input.onUploadProgress
      ? fetchWithProgress(address, request, input.onUploadProgress)
      : fetch(address, request));
    noteSystemTime(response.headers.get("x-malote-now"));
    return response;
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new CallError({ status: 0, message: offlineText });
  }
}

async function bodyOf(contract: Contract, response: Response): Promise<unknown> {
  if (contract.transport === "file") return response.blob();
  if (contract.transport === "stream") return response.body;
  if (response.status === 204 || contract.transport === "text") return response.text();
  return response.json();
}

/**
 * Errors that the person can act on show the text of their code (SES-064). Any other only shows that it was reported.
 */
const faultsInOwnWords: ReadonlySet<string | undefined> = new Set([
  "unavailable",
  "no_space",
  "read_too_slow",
  "bank_receipt_unavailable",
] satisfies ErrorCode[]);

async function failureOf(contract: Contract, response: Response): Promise<CallError> {
  const answer = await response.json().catch(() => ({}));
  const { code, message, data = null, requestId } = answer as Record<string, never>;
  const name: string | undefined = (answer as { errorCode?: string }).errorCode ?? code;
  // A known code has our own text; without one the raw message is kept for the caller to decide (SES-067).
  const isServerFault = response.status >= 500 && !faultsInOwnWords.has(name);
  const known = name ? await catalogue() : undefined;
  const raw = String(message ?? "");
  const text = isServerFault
    ? generalText
    : name
      ? (known?.errorText(name, data) ?? (raw || generalText))
      : raw;
  const errorCode = known?.isErrorCode(name) ? name : undefined;
  reportFailure({ callId: contract.id, status: response.status, code: name, requestId });
  return new CallError({ status: response.status, message: text, code: name, errorCode, data, requestId });
}

/**
 * Hundreds of sentences, fetched with the first refusal. When that fails or takes too long, the server's own sentence
 * serves.
 */
const catalogue = () => loadPart(() => import("@malote/contracts/errors")).catch(() => undefined);

/**
 * Returns the sentence to show for any error (SES-064 to SES-067): a code's own text, else the action's, else the raw
 * message. Undefined when the person cancelled the call, or closed the dialog before it.
 */
export function errorSentence(error: unknown, fallback?: string): string | undefined {
  if (wasLeft(error)) return undefined;
  if (error instanceof DOMException && error.name === "AbortError") return undefined;
  // A part of the page that could not be fetched is no call, but fails for the same reason (SES-065).
  if (!(error instanceof CallError)) return navigator.onLine ? (fallback ?? generalText) : offlineText;
  if (error.status === 0 || error.status >= 500 || error.code) return error.message;
  return fallback ?? (error.message || undefined);
}

/** Mistakes in the fields of a form that a refused call names. The contract of the call gives their shape. */
export function issuesOf<One extends { code: string; field: string } = Issue>(
  error: unknown,
): One[] | undefined {
  const errors = error instanceof CallError ? error.data?.["errors"] : undefined;
  return Array.isArray(errors) ? errors : undefined;
}

/** Returns the sentence of a refusal that a screen detects by itself, before it calls the server. */
export async function refusalSentence(code: ErrorCode, data?: ErrorData): Promise<string> {
  return (await catalogue())?.errorText(code, data) ?? generalText;
}
