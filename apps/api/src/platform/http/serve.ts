/**
 * Turns a contract into a route: parse, authenticate, authorise, act in one transaction, present. Handlers contain none
 * of these steps.
 */
import { bases, type Contract, type ResponseOf } from "@malote/contracts/contract";
import type { ErrorCode } from "@malote/contracts/errors";
import { mayCall } from "@malote/contracts/policy";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { AppError } from "../app-error.ts";
import type { Actor } from "../auth/actor.ts";
import type { Clock } from "../clock.ts";
import { companySemaphore } from "../concurrency/company-semaphore.ts";
import { fairSemaphore } from "../concurrency/fair-semaphore.ts";
import type { AnyTx, Database, Tx } from "../db/database.ts";
import { BearerChanged, type BearerCheck } from "../db/screen-reads.ts";
import { reachFailPoint } from "../fail-points.ts";
import { actsFor } from "../work.ts";
import { type CodeOfCall, type ReadCode, runWithCode } from "./given-code.ts";
import { answerOnce, idempotencyKeyPattern, requestHash } from "./idempotency.ts";
import { isOwnHost } from "./own-host.ts";
import { generalLimits, queueCaller } from "./queue-caller.ts";
import { createRefusalRecorder } from "./record-refusals.ts";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Parsed and authorised call, as a handler receives it. */
export interface Call<C extends Contract> {
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  actor: Actor;
  now: Date;
  /** Set only for a contract that may require a code. */
  givenCode: CodeOfCall;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Runs a transaction that may require the code in the same queue; it may run twice. */
  withCode<T>(work: () => Promise<T>): Promise<T>;
}

/** Call whose steps wait in the company's queue one by one, so that a slow answer delays no other call. */
export interface SteppedCall<C extends Contract> extends Call<C> {
  /** Runs one step in the queue. */
  inCompanyQueue<T>(step: () => Promise<T>): Promise<T>;
}

/** Part of such a call that does not depend on its contract. */
export type CompanyCall = Pick<SteppedCall<Contract>, "actor" | "reply" | "inCompanyQueue">;

/**
 * Place where a call that opens its own transactions waits: the whole call or each step in the company's queue, in
 * which single-transaction calls wait too, or nowhere, because it reads little or has no company.
 */
export type OutsideQueue = "company" | "steps" | "none";

export interface Caller {
  actor: Actor;
  /** Set when the bearer comes from the cache: the call's reads and writes count only if this check passes. */
  bearerCheck?: BearerCheck;
}

/**
 * Wraps the check of a bearer and records that it ran: a handler that forgot to pass it on would serve a bearer whose
 * access has ended.
 */
function trackCheck(bearerCheck: BearerCheck | undefined) {
  let holds = bearerCheck === undefined;
  return {
    bearerCheck:
      bearerCheck &&
      (async (tx: AnyTx) => {
        holds = false;
        holds = await bearerCheck(tx);
        return holds;
      }),
    assertChecked() {
      if (!holds) throw new Error("a cached bearer was not checked, so the call is refused");
    },
  };
}

export interface ServeOptions {
  db: Database;
  clock: Clock;
  /**
   * Returns the bearer of the token; refuses with `not_authenticated`. With `mayRemember` it may return a bearer cached
   * moments ago.
   */
  authenticate(request: FastifyRequest, mayRemember?: boolean): Promise<Caller>;
  readCode?: ReadCode;
  sandbox: boolean;
  publicUrl?: string;
}

/**
 * Maximum number of running calls that move one company's money, per process. One at a time locks its accounts; the
 * others prepare meanwhile.
 */
const movingMoneyAtOnce = 4;
const movingMoneyWaitingMax = 1_000;

export function createServe(app: FastifyInstance, services: ServeOptions) {
  const moneyQueue = companySemaphore(movingMoneyAtOnce, movingMoneyWaitingMax);
  const generalQueue = fairSemaphore({ ...generalLimits, now: () => services.clock.now().getTime() });
  const refusals = createRefusalRecorder(services);
  async function requireAllowed(
    contract: Contract,
    request: FastifyRequest,
    mayRemember = false,
  ): Promise<Caller> {
    const caller = await services.authenticate(request, mayRemember);
    const { actor, bearerCheck } = caller;
    const refusal = callerRefusal(contract, actor);
    // A refusal must not depend on cached facts, so read the bearer again.
    if (refusal && bearerCheck) return requireAllowed(contract, request);
    // Set before a refusal, so that the log and the audit trail name the caller.
    request.actor = actor;
    actsFor(actor);
    if (refusal) throw new AppError(refusal);
    return caller;
  }

  /** Throws the error of a call. Only callers whose access is still valid get validation errors. */
  async function refuse(contract: Contract, request: FastifyRequest, error: Error): Promise<never> {
    if (request.bearerCheck) await requireAllowed(contract, request);
    throw error;
  }

  function callOf<C extends Contract>(
    contract: C,
    actor: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Call<C> {
    const call: Call<C> = {
      params: request.params as Call<C>["params"],
      query: request.query as Call<C>["query"],
      body: request.body as Call<C>["body"],
      actor,
      now: services.clock.now(),
      givenCode: { is: "none" },
      requestId: request.id,
      request,
      reply,
      withCode: (work) => runWithCode(contract, call, services.readCode, work),
    };
    return call;
  }

  function register(
    contract: Contract,
    handler: (actor: Actor | undefined, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    mayRemember = false,
  ): void {
    const { policy } = contract;
    if (policy.access === "simulator" && !services.sandbox) return;
    app.route({
      method: contract.method,
      url: bases[contract.base] + contract.path,
      schema: {
        operationId: contract.id,
        summary: contract.summary,
        tags: [contract.base],
        ...(contract.params && { params: contract.params }),
        ...(contract.query && { querystring: contract.query }),
        ...(contract.body && contract.transport !== "multipart" && { body: contract.body }),
        ...(isJson(contract) && { response: { 200: contract.response } }),
      },
      config: { contract },
      attachValidation: true,
      ...(contract.bodyBytesMax && { bodyLimit: contract.bodyBytesMax }),
      // Runs before parsing, so that callers without a token learn nothing about valid requests.
      async onRequest(request) {
        if (policy.access === "session")
          request.bearerCheck = (await requireAllowed(contract, request, mayRemember)).bearerCheck;
        if (policy.access === "simulator" && !isOurOwnPage(request, services.publicUrl))
          throw new AppError("forbidden");
        // Compressed bodies are refused: the parsed body might differ from the sent one.
        const packed = request.headers["content-encoding"] ?? "identity";
        const isRead = contract.body !== undefined || contract.transport === "multipart";
        if (isRead && packed !== "identity") throw new AppError("unsupported_media_type");
      },
      preValidation(request, _reply, done) {
        // A call without a body schema ignores its body.
        if (!contract.body && contract.transport !== "multipart") request.body = undefined;
        // A body with only optional fields may be missing.
        else if (contract.body) request.body ??= {};
        done();
      },
      onError: (request, _reply, error) => refusals.record(contract, request, error),
      async handler(request, reply) {
        if (request.validationError) return refuse(contract, request, request.validationError);
        return handler(request.actor, request, reply);
      },
    });
  }

  /**
   * Registers a call on one company's data. The whole handler is one transaction, which is retried when PostgreSQL
   * requires it, or one read. It uses the token's cached bearer first, and runs again if the bearer has changed.
   */
  function serve<C extends Contract>(contract: C, act: (tx: Tx, call: Call<C>) => Promise<ResponseOf<C>>) {
    const answer = async (
      request: FastifyRequest,
      reply: FastifyReply,
      actor: Actor,
      bearerCheck?: BearerCheck,
    ) => {
      const call = callOf(contract, actor, request, reply);
      const inside = (tx: Tx) => act(tx, call);
      return contract.method === "GET"
        ? readFor(contract, call, inside, bearerCheck)
        : write(contract, call, inside, bearerCheck);
    };
    register(
      contract,
      async (known, request, reply) => {
        if (!hasKey(contract, request)) return refuse(contract, request, new AppError("not_acceptable_key"));
        try {
          return await answer(request, reply, requireActor(contract, known), request.bearerCheck);
        } catch (error) {
          if (!(error instanceof BearerChanged)) throw error;
          return answer(request, reply, (await requireAllowed(contract, request)).actor);
        }
      },
      true,
    );
  }

  const readFor = <C extends Contract, T>(
    contract: C,
    call: Call<C>,
    act: (tx: Tx) => Promise<T>,
    bearerCheck?: BearerCheck,
  ): Promise<T> =>
    generalQueue(
      call.actor.companyId,
      async () => {
        const tracked = trackCheck(bearerCheck);
        const { companyId } = call.actor;
        const answer = await services.db.readForScreen(companyId, act, tracked.bearerCheck).catch(tooSlow);
        tracked.assertChecked();
        return answer;
      },
      queueCaller(contract, call),
    );

  /** Checks the bearer before the action, because an unauthorised write must not be committed. */
  function writeIfBearerHolds<T>(
    companyId: string,
    work: (tx: Tx) => Promise<T>,
    bearerCheck: BearerCheck | undefined,
  ): Promise<T> {
    const tracked = trackCheck(bearerCheck);
    const checked = async (tx: Tx) => {
      tracked.assertChecked();
      return work(tx);
    };
    return services.db.withCompany(companyId, checked, tracked.bearerCheck);
  }

  async function write<C extends Contract>(
    contract: C,
    call: Call<C>,
    act: (tx: Tx) => Promise<ResponseOf<C>>,
    bearerCheck?: BearerCheck,
  ) {
    const { actor, request, reply } = call;
    if (!contract.idempotent)
      return call.withCode(() =>
        generalQueue(
          actor.companyId,
          () => writeIfBearerHolds(actor.companyId, act, bearerCheck),
          queueCaller(contract, call),
        ),
      );
    const key = String(request.headers["idempotency-key"]);
    const route = `${contract.method} ${contract.path}`;
    const hash = requestHash([request.params, request.query, request.body]);
    const once = (tx: Tx) =>
      answerOnce(tx, { route, key, hash, actorId: actor.id, now: call.now }, async () =>
        JSON.stringify(contract.response.parse(await act(tx))),
      );
    const { body, replayed } = await call.withCode(() =>
      moneyQueue(actor.companyId, () => writeIfBearerHolds(actor.companyId, once, bearerCheck)),
    );
    if (replayed) reply.header("idempotent-replayed", "true");
    reachFailPoint("before-answer");
    // Sends the stored bytes themselves, not another serialisation of them.
    return reply
      .type("application/json; charset=utf-8")
      .serializer((text: string) => text)
      .send(body);
  }

  /**
   * Registers a call like `serve`, for an action that needs external facts. They are requested before the transaction;
   * a repeated call requests them again, which only reads, and gets the first answer.
   */
  function serveWithFacts<C extends Contract, Facts>(
    contract: C,
    readFacts: (call: Call<C>) => Promise<Facts>,
    act: (tx: Tx, call: Call<C>, facts: Facts) => Promise<ResponseOf<C>>,
  ) {
    register(contract, async (known, request, reply) => {
      const call = callOf(contract, requireActor(contract, known), request, reply);
      if (!hasKey(contract, request)) throw new AppError("not_acceptable_key");
      const facts = await readFacts(call);
      if (contract.method === "GET") return readFor(contract, call, (tx) => act(tx, call, facts));
      return write(contract, call, (tx) => act(tx, call, facts));
    });
  }

  /**
   * Registers a call that opens its own transactions or none: uploads, downloads, authenticated calls of several steps.
   */
  function serveOutside<C extends Contract, Q extends OutsideQueue>(
    contract: C,
    { queue }: { queue: Q },
    act: (call: Q extends "steps" ? SteppedCall<C> : Call<C>) => Promise<unknown>,
  ) {
    register(contract, async (actor, request, reply) => {
      const call = callOf(contract, actor as Actor, request, reply);
      if (queue === "none") return act(call as SteppedCall<C>);
      const { companyId } = requireActor(contract, actor);
      const caller = queueCaller(contract, call);
      const inCompanyQueue = <T>(work: () => Promise<T>) => generalQueue(companyId, work, caller);
      const stepped = Object.assign(call, { inCompanyQueue });
      return queue === "company" ? inCompanyQueue(() => act(stepped)) : act(stepped);
    });
  }

  /** Registers the end of long-lived answers, before the server waits for the running ones. */
  function onClose(end: () => void): void {
    app.addHook("preClose", (done) => {
      end();
      done();
    });
  }

  return { serve, serveWithFacts, serveOutside, onClose };
}

export type Serve = ReturnType<typeof createServe>;

const isJson = ({ transport }: Contract) => transport === undefined || transport === "multipart";

function hasKey({ idempotent }: Contract, { headers }: FastifyRequest): boolean {
  const key = headers["idempotency-key"];
  return !idempotent || (typeof key === "string" && idempotencyKeyPattern.test(key));
}

function requireActor(contract: Contract, actor: Actor | undefined): Actor {
  if (!actor) throw new Error(`${contract.id} is served to a company but its policy is public`);
  return actor;
}

function callerRefusal({ policy }: Contract, actor: Actor): ErrorCode | undefined {
  // No other profile would permit the call.
  if (actor.kind === "machine" && policy.access === "session" && !policy.machine) return "person_only";
  if (!mayCall(policy, actor)) return "forbidden";
  const isReachable = policy.access === "session" && policy.withoutTwoFactor;
  return actor.mustEnableTwoFactor && !isReachable ? "second_factor_required" : undefined;
}

/** Error code of PostgreSQL for a statement timeout. */
const overTimeCode = "57014";

function tooSlow(error: unknown): never {
  if ((error as { code?: unknown }).code === overTimeCode) throw new AppError("read_too_slow");
  throw error;
}

/**
 * Returns true for a call from our own page. The simulator needs no token, so another site's page must not be able to
 * call it: neither directly, which browsers report, nor by a host name of its own that points here.
 */
function isOurOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return isOwnHost(request, publicUrl);
}

declare module "fastify" {
  interface FastifyRequest {
    actor?: Actor;
    /** Check that the actor is still valid, when it comes from the cache. */
    bearerCheck?: BearerCheck | undefined;
  }
  interface FastifyContextConfig {
    contract?: Contract;
  }
}
