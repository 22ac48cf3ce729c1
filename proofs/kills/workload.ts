/** What the clients share: whether the server is up, what it acknowledged, and what went wrong. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Contract } from "@malote/contracts/contract";
import { type Answer, type CallInput, send, signIn } from "../../e2e/api.ts";

/** Signs in again when the token has lived its time: a long proof outlives it. */
export interface Person {
  email: string;
  token: string;
}

export interface Company {
  id: string;
  pixKey: string;
  admin: Person;
  operator: Person;
  /** Batches any client of the company may act on. */
  batches: string[];
}

/** An answer that said yes: exactly this must be found in the database ever after. */
export interface Acknowledged {
  requestId: string;
  call: string;
  /** Entries it may have left in the audit trail: one, or one for each time it was sent. */
  most: number;
}

/** A keyed call that was answered: sent again it must give these very bytes. */
interface Replay {
  person: Person;
  contract: Contract;
  input: CallInput<Contract>;
  text: string;
}

/** What the clients have to bear with in a proof; anything else they meet is a fault. */
export interface Bearable {
  /** Requests that end without an answer. */
  cuts: boolean;
  /** Answers that say to come back later. */
  unavailable: boolean;
  /** How long a request may stay open; ten seconds unless a proxy in between delays it on purpose. */
  openMsMax?: number;
}

export interface Workload {
  url: string;
  bearable: Bearable;
  companies: Company[];
  acknowledged: Acknowledged[];
  /** Payment → its value as last acknowledged; undefined when its removal was. */
  payments: Map<string, number | undefined>;
  deposits: Map<string, number>;
  /** Sheet → rows and centavos it must become. */
  sheets: Map<string, { rows: number; value: number }>;
  replays: Replay[];
  /** Broken promises seen by the clients themselves. */
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

/** How long a client waits before it asks again. */
const againMs = 20;
/** After a 503: sooner than it asks for, and not so soon that the asking itself keeps the database from coming back. */
const comeBackMs = 150;
/** No request may stay open for longer, whatever happens behind. */
export const openMsMax = 10_000;
const replaysMax = 200;

/** Only these leave entries in the audit trail; a draft's single rows are looked for by their values instead. */
const unaudited = new Set(["addTransfer", "changeTransfer", "removeTransfer"]);

/**
 * Asks until there is an answer, with the same key and the same request id, as a careful program does. When the first
 * tries were cut, a refusal may mean that one of them came through; the state decides, and the caller does not guess.
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
  // A made-up id or a key makes a repetition harmless; a step from one status to the next may be made twice only if
  // the step back was made in between.
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

/** A token that lived its time. When the way in is closed too, the next try asks again. */
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
