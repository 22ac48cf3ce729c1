import { createCheckpoint, readBankByCode } from "@malote/contracts/company";
import { type BodyOf, bases, type Contract, type ResponseOf } from "@malote/contracts/contract";
import { type ErrorCode, type ErrorData, errorText, statusOf } from "@malote/contracts/errors";
import { lookUpBoleto, lookUpPixCode, lookUpPixKey } from "@malote/contracts/lookups";
import { listNotifications, watchChanges } from "@malote/contracts/notifications";
import { findBankByCode } from "@malote/domain/banks";
import { vi } from "vitest";

interface Seen<C extends Contract> {
  params: Record<string, string>;
  query: Record<string, string>;
  body: BodyOf<C>;
  headers: Headers;
}

type Answer<C extends Contract> = ResponseOf<C> | Refusal;
type Handler<C extends Contract> = (seen: Seen<C>) => Answer<C> | Promise<Answer<C>>;

class Refusal {
  readonly code: ErrorCode | undefined;
  readonly data: ErrorData | null;
  constructor(code: ErrorCode | undefined, data: ErrorData | null) {
    this.code = code;
    this.data = data;
  }
}

/** A refusal of the catalogue, with its status. */
export function refuse(code: ErrorCode, data: ErrorData | null = null): Refusal {
  return new Refusal(code, data);
}

/** Refuses as a proxy in front of the server does: without a code of ours (SES-067). */
export function refuseWithoutCode(): Refusal {
  return new Refusal(undefined, null);
}

interface Route {
  contract: Contract;
  pattern: RegExp;
  handler: Handler<Contract>;
}

/**
 * External lookups stay unanswered unless a test answers them: forms request them as soon as a key or a code is
 * complete.
 */
const silent: Route[] = [
  routeOf(lookUpPixKey, () => ({
    status: "unavailable" as const,
    name: null,
    cpf_cnpj: null,
    bank: null,
    is_salary_account: false,
    differs: null,
    asked_at: null,
    asked_by: null,
  })),
  routeOf(lookUpBoleto, () => ({
    status: "unavailable" as const,
    code: null,
    beneficiary: null,
    value: null,
    due_date: null,
    limit_date: null,
    fine_basis_points: 0,
    interest_basis_points: 0,
    discount: null,
    abatement: 0,
    on_day: null,
    asked_at: null,
    asked_by: null,
  })),
  routeOf(readBankByCode, ({ params }) => {
    const bank = findBankByCode(params["code"] ?? "");
    if (!bank) return refuse("not_found");
    return { id: bank.ispb, code: bank.code, ispb: bank.ispb, name: bank.name, image: null };
  }),
  routeOf(lookUpPixCode, () => ({ status: "unavailable" as const, charge: null })),
  // Calls that the frame makes on every page.
  routeOf(listNotifications, () => ({ data: [], unseen: 0 })),
  routeOf(watchChanges, () => new Promise<never>(() => undefined)),
];

function routeOf<C extends Contract>(contract: C, handler: Handler<C>): Route {
  return { contract, pattern: patternOf(contract), handler: handler as unknown as Handler<Contract> };
}

let routes: Route[] = [];
let seenCalls: (Omit<Seen<Contract>, "body"> & { id: string; body: unknown })[] = [];
let unexpected: string[] = [];
let offline = false;
/** The change that was refused, or lost, since the last one that was done and the last act of the person. */
let undone: string | undefined;

function patternOf(contract: Contract): RegExp {
  const path = `${bases[contract.base]}${contract.path}`.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${path}$`);
}

async function answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  // Marks are stored beside what the person does, and may fail unseen (FST-025).
  const changes = (init.method ?? "GET") !== "GET" && !String(input).endsWith(createCheckpoint.path);
  try {
    const response = await answerOf(input, init);
    if (changes) undone = response.ok ? undefined : `${init.method} ${String(input)}`;
    return response;
  } catch (error) {
    if (changes) undone = `${init.method} ${String(input)}`;
    throw error;
  }
}

async function answerOf(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  if (offline) throw new TypeError("Failed to fetch");
  const url = new URL(String(input), "http://malote.test");
  const method = init.method ?? "GET";
  const fits = ({ contract, pattern }: Route) => contract.method === method && pattern.test(url.pathname);
  const route = routes.find(fits) ?? silent.find(fits);
  if (!route) {
    unexpected.push(`${method} ${url.pathname}`);
    return json(404, errorBody("not_found"));
  }
  const { contract, pattern, handler } = route;
  const query = Object.fromEntries(url.searchParams);
  const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
  const headers = new Headers(init.headers);
  const params = pattern.exec(url.pathname)?.groups ?? {};
  // Recorded even when the contract refuses it, because it was sent.
  seenCalls.push({ id: contract.id, params, query, body, headers });
  // The contract checks both sides: a wrong request or a wrong fake answer fails the test.
  const judged = (schema: Contract["response"] | undefined, given: unknown, what: string): unknown => {
    const outcome = schema?.safeParse(given);
    if (outcome?.success === false) {
      unexpected.push(`${method} ${url.pathname}: ${what} ${outcome.error.message}`);
      throw outcome.error;
    }
    return outcome?.data;
  };
  judged(contract.query, query, "query");
  judged(contract.body, body, "body");
  const given = await handler({ params, query, body: body as never, headers });
  if (init.signal?.aborted) throw new DOMException("aborted", "AbortError");
  if (given instanceof Refusal)
    return given.code ? json(statusOf(given.code), errorBody(given.code, given.data)) : json(400, {});
  const answer = judged(contract.response, given, "answer");
  const wrong = wrongSubject(contract, params, answer);
  if (wrong) {
    unexpected.push(wrong);
    return json(404, errorBody("not_found"));
  }
  return contract.transport === "text" ? new Response(String(answer)) : json(200, answer);
}

/**
 * Returns why an answer is about another object than the call. A fake answer that fits any id would hide a call about
 * the wrong one.
 */
function wrongSubject(
  { id, method, path }: Contract,
  params: Record<string, string>,
  answer: unknown,
): string | null {
  const name = /:(id|tid|\w+Id)$/.exec(path)?.[1];
  if (!name || typeof answer !== "object" || answer === null || !("id" in answer)) return null;
  if (answer.id === params[name]) return null;
  return `${id} (${method} ${path}) asked about ${params[name]} and was answered with ${answer.id}`;
}

function errorBody(code: ErrorCode, data: ErrorData | null = null) {
  return {
    code,
    errorCode: code,
    message: errorText(code, data),
    data,
    requestId: "0198f000-dead-7000-8000-00000000beef",
  };
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

/** Replaces the network. The contract of each call types and checks its answer. */
export const fakeServer = {
  start(): void {
    routes = [];
    seenCalls = [];
    unexpected = [];
    offline = false;
    undone = undefined;
    vi.stubGlobal("fetch", answer);
  },
  /** Answers the calls that no test handles. */
  stop(): string[] {
    return unexpected;
  },
  /** A later handler of the same call replaces this one. */
  on<const C extends Contract>(contract: C, handler: Handler<C>): void {
    routes.unshift({
      contract,
      pattern: patternOf(contract),
      handler: handler as unknown as Handler<Contract>,
    });
  },
  /** Answers when no test sets an answer, before or after. */
  byDefault<const C extends Contract>(contract: C, handler: Handler<C>): void {
    routes.push({
      contract,
      pattern: patternOf(contract),
      handler: handler as unknown as Handler<Contract>,
    });
  },
  /** Leaves a call unanswered that may start before or after the end of a test. */
  keepWaiting(contract: Contract): void {
    this.on(contract, () => new Promise(() => undefined));
  },
  /** The change that was not done, for which no success may be reported. */
  undone: () => undone,
  forgetUndone(): void {
    undone = undefined;
  },
  goOffline(): void {
    offline = true;
  },
  calls(contract: Contract) {
    return seenCalls.filter((call) => call.id === contract.id);
  },
};
