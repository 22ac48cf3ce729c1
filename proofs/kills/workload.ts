/** State shared by the clients: whether the server is up, its acknowledgements, and the faults. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contract } from "@malote/contracts/contract";
import { type Answer, type CallInput, send, signIn } from "../../e2e/api.ts";

/** A person, who signs in again when the token expires: a long proof outlives it. */
export interface Person {
  email: string;
  token: string;
}

export interface Company {
  id: string;
  pixKey: string;
  admin: Person;
  operator: Person;
  /** Batches that any client of the company may change. */
  batches: string[];
}

/** An acknowledged operation: the database must contain exactly this from then on. */
export interface Acknowledged {
  requestId: string;
  call: string;
  /** The maximum number of its entries in the audit trail: one, or one for each time it was sent. */
  most: number;
}

/** An answered call with a key: a repeat must get exactly these bytes. */
interface Replay {
  person: Person;
  contract: Contract;
  input: CallInput<Contract>;
  text: string;
}

/** Disturbances that clients tolerate in a proof; any other is a fault. */
export interface Bearable {
  /** True when requests may end without an answer. */
  cuts: boolean;
  /** True when answers may ask for a later retry. */
  unavailable: boolean;
  /** Milliseconds that a request may stay open: ten thousand, unless a proxy in between delays it on purpose. */
  openMsMax?: number;
}

export interface Workload {
  url: string;
  bearable: Bearable;
  companies: Company[];
  acknowledged: Acknowledged[];
  /** Payment → its last acknowledged value; undefined when its removal was acknowledged. */
  payments: Map<string, number | undefined>;
  deposits: Map<string, number>;
  /** Sheet → its expected rows and centavos. */
  sheets: Map<string, { rows: number; value: number }>;
  replays: Replay[];
  /** Violations that the clients themselves noticed. */
  faults: string[];
  answers: Record<string, number>;
  cutRequests: number;
  slowestMs: number;
  stopping: boolean;
  up: Promise<void>;
}

export function createWorkload(url: string, bearable: Bearable): Workload {
  return {
    url,
    bearable,
    companies: [],
    acknowledged: [],
    payments: new Map(),
    deposits: new Map(),
    sheets: new Map(),
    replays: [],
    faults: [],
    answers: {},
    cutRequests: 0,
    slowestMs: 0,
    stopping: false,
    up: Promise.resolve(),
  };
}

/** Milliseconds before a client retries. */
const againMs = 20;
/**
 * Milliseconds after a 503: shorter than the server demands, but long enough that retries do not keep the database from
 * recovering.
 */
const comeBackMs = 150;
/** The maximum time for any request, whatever happens behind it. */
export const openMsMax = 10_000;
const replaysMax = 200;

/** Calls without an entry in the audit trail: a draft's single rows are checked by their values instead. */
const unaudited = new Set(["addTransfer", "changeTransfer", "removeTransfer"]);

/**
 * Retries until there is an answer, with the same key and the same request id, as a careful program does. When the
 * first attempts were cut, a refusal may mean that one of them succeeded; the state decides, and the caller does not
 * guess.
 */
export async function perform<const C extends Contract>(
  workload: Workload,
  person: Person,
  contract: C,
  input: CallInput<C> = {},
): Promise<Answer<C>> {
  const requestId = input.requestId ?? randomUUID();
  const key = contract.idempotent ? (input.key ?? randomUUID()) : undefined;
  const whole = { ...input, requestId, ...(key && { key }) };
  for (let sent = 1; ; sent++) {
    await workload.up;
    let answer: Answer<C>;
    const askedAt = performance.now();
    try {
      answer = await send(workload.url, person.token, contract, whole);
    } catch (error) {
      workload.cutRequests++;
      if (!workload.bearable.cuts) workload.faults.push(`${contract.id} was cut: ${causeOf(error)}`);
      await sleep(againMs);
      continue;
    } finally {
      noteTime(workload, contract, performance.now() - askedAt);
    }
    const outcome = answer.code ? `${answer.status} ${answer.code}` : String(answer.status);
    workload.answers[outcome] = (workload.answers[outcome] ?? 0) + 1;
    if (answer.status === 503) {
      if (!workload.bearable.unavailable) workload.faults.push(`${contract.id} answered ${outcome}`);
      if (!answer.headers.has("retry-after")) workload.faults.push(`${contract.id}: 503 without Retry-After`);
    }
    if (answer.code === "not_authenticated") await signInAgain(workload, person);
    if (
      answer.status === 503 ||
      answer.code === "not_authenticated" ||
      answer.code === "idempotency_in_progress"
    ) {
      await sleep(answer.status === 503 ? comeBackMs : againMs);
      continue;
    }
    if (answer.status >= 500) workload.faults.push(`${contract.id} answered ${outcome}`);
    if (answer.done !== undefined && contract.method !== "GET") {
      remember(workload, { person, contract, input: whole as CallInput<Contract>, text: answer.text }, sent);
    }
    return answer;
  }
}

function remember(workload: Workload, replay: Replay, sent: number): void {
  const { contract, input } = replay;
  if (
    contract.policy.access !== "session" ||
    unaudited.has(contract.id) ||
    contract.transport === "multipart"
  )
    return;
  // A chosen id or a key makes a repeat harmless; a status transition may happen twice only if it was reverted in
  // between.
  const once = contract.idempotent || contract.id === "createBatch" || contract.id === "importSheet";
  workload.acknowledged.push({
    requestId: input.requestId ?? "",
    call: contract.id,
    most: once ? 1 : sent,
  });
  if (!contract.idempotent) return;
  workload.replays.push(replay);
  if (workload.replays.length > replaysMax) workload.replays.shift();
}

/** Replaces an expired token. When the sign-in fails too, the next attempt retries it. */
async function signInAgain(workload: Workload, person: Person): Promise<void> {
  const token = await signIn(workload.url, person.email).catch(() => undefined);
  if (token) person.token = token;
}

function noteTime(workload: Workload, contract: Contract, ms: number): void {
  workload.slowestMs = Math.max(workload.slowestMs, Math.round(ms));
  if (ms > (workload.bearable.openMsMax ?? openMsMax))
    workload.faults.push(`${contract.id} stayed open for ${Math.round(ms)} ms`);
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
