/**
 * A contract becomes a route: parse, authenticate, authorise, act in one transaction, present. Handlers hold no such step.
 */
import { bases, type Contract, type ResponseOf } from "@malote/contracts/contract";
import { mayCall } from "@malote/contracts/policy";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { AppError } from "../app-error.ts";
import type { Actor } from "../auth/actor.ts";
import type { Clock } from "../clock.ts";
import type { Database, Tx } from "../db/database.ts";
import { passing } from "../fail-points.ts";
import { actsFor } from "../work.ts";
import { companySemaphore } from "./company-semaphore.ts";
import { fairSemaphore } from "./fair-semaphore.ts";
import { answerOnce, idempotencyKeyPattern, requestHash } from "./idempotency.ts";
import { refusalNotes } from "./note-refusals.ts";
import { isOwnHost } from "./own-host.ts";

/** The code of the second factor that came with a call: looked at before its transaction, used up in it. */
export type ReadCode = { is: "none" } | { is: "wrong" } | { is: "good"; step: number };
const noCode: ReadCode = { is: "none" };

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler gets to know of a call, all of it parsed and allowed. */
export interface Call<C extends Contract> {
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  actor: Actor;
  now: Date;
  /** Only of a contract that may ask for one. */
  givenCode: ReadCode;
  requestId: string;
  request: FastifyRequest;
  reply: FastifyReply;
  /** For a handler that opens its own transactions: waits in the company's queue, as every call that is one transaction does. */
  inLine<T>(work: () => Promise<T>): Promise<T>;
}

/** What any call of a company knows. */
export type CompanyCall = Pick<Call<Contract>, "actor" | "reply" | "inLine">;

export interface ServeParts {
  db: Database;
  clock: Clock;
  /** Who the bearer token speaks for; refuses with `not_authenticated`. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Looks at a code of the second factor; a wrong one counts as a wrong try. */
  readCode?(actor: Actor, code: string, address: string): Promise<ReadCode>;
  sandbox: boolean;
  publicUrl?: string;
}

/** Of one company in one process. Its accounts are locked by one at a time; the others get ready meanwhile. */
const movingMoneyAtOnce = 4;
const movingMoneyWaitingMax = 1_000;

/**
 * All other calls of a company, which may look through much: of the twelve connections of a process (database.ts) three are
 * one company's, and four nobody's, so that money and the work in the background always find one. What takes a tenth of a
 * second looks through a large batch, and one of it is at work for a company: three kept both processors of a small machine
 * busy, and a neighbour's balance waited for them.
 */
const others = {
  perCompany: 3,
  overall: 8,
  waitingMax: 100,
  long: { perCompany: 1, fromMs: 100 },
};
/** A screen does not wait longer for what it shows. */
const readLimits = { statementMs: 5_000, lockMs: 2_000 };

export function createServe(app: FastifyInstance, parts: ServeParts) {
  const inTurn = companySemaphore(movingMoneyAtOnce, movingMoneyWaitingMax);
  const besides = fairSemaphore({ ...others, now: () => parts.clock.now().getTime() });
  const notes = refusalNotes(parts);
  async function allowed(contract: Contract, request: FastifyRequest): Promise<void> {
    const actor = await parts.authenticate(request);
    // Known from here on, also when the call is refused: the log and the audit trail name who asked.
    request.actor = actor;
    actsFor(actor);
    if (!mayCall(contract.policy, actor)) throw new AppError("forbidden");
    if (actor.mustEnableTwoFactor && !reachableWithoutTwoFactor.has(contract.id)) {
      throw new AppError("second_factor_required");
    }
  }

  function callOf<C extends Contract>(
    contract: C,
    actor: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Call<C> {
    return {
      params: request.params as Call<C>["params"],
      query: request.query as Call<C>["query"],
      body: request.body as Call<C>["body"],
      actor,
      now: parts.clock.now(),
      givenCode: noCode,
      requestId: request.id,
      request,
      reply,
      inLine: (work) => besides(actor.companyId, work, contract.id),
    };
  }

  async function codeOf(contract: Contract, actor: Actor, request: FastifyRequest): Promise<ReadCode> {
    const code = request.headers["second-factor-code"];
    if (!contract.stepUp || !parts.readCode || typeof code !== "string" || actor.kind !== "user")
      return noCode;
    return parts.readCode(actor, code, request.ip);
  }

  function register(
    contract: Contract,
    handler: (actor: Actor | undefined, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) {
    const { policy } = contract;
    if (policy.access === "simulator" && !parts.sandbox) return;
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
        ...(contract.transport !== "file" &&
          contract.transport !== "text" && { response: { 200: contract.response } }),
      },
      config: { contract },
      ...(contract.bodyBytesMax && { bodyLimit: contract.bodyBytesMax }),
      // Before parsing, so that nobody without a token learns what a good request looks like.
      async onRequest(request) {
        if (policy.access === "session") await allowed(contract, request);
        if (policy.access === "simulator" && !isOurOwnPage(request, parts.publicUrl))
          throw new AppError("forbidden");
        // Nobody unpacks it here: what was read as it came might be another body than the one that was sent.
        const packed = request.headers["content-encoding"] ?? "identity";
        const isRead = contract.body !== undefined || contract.transport === "multipart";
        if (isRead && packed !== "identity") throw new AppError("unsupported_media_type");
      },
      async preValidation(request) {
        if (contract.transport === "multipart") return;
        // What a call without a body is sent was looked at by no schema, and is not looked at by anything else.
        if (!contract.body) request.body = undefined;
        // A call whose body has only optional fields may come without one.
        else request.body ??= {};
      },
      onError: (request, _reply, error) => notes.note(contract, request, error),
      handler: (request, reply) => handler(request.actor, request, reply),
    });
  }

  /** A call on one company's data. The whole handler is one transaction; it may run again when PostgreSQL asks for it. */
  function serve<C extends Contract>(contract: C, act: (tx: Tx, call: Call<C>) => Promise<ResponseOf<C>>) {
    serveAsking(contract, async () => undefined, act);
  }

  /**
   * As `serve`, for an action that must know something of the outside. It is asked for before the transaction; a
   * repeated call asks again, which only reads, and is answered as the first.
   */
  function serveAsking<C extends Contract, Asked>(
    contract: C,
    ask: (call: Call<C>) => Promise<Asked>,
    act: (tx: Tx, call: Call<C>, asked: Asked) => Promise<ResponseOf<C>>,
  ) {
    const route = `${contract.method} ${contract.path}`;
    register(contract, async (actor, request, reply) => {
      if (!actor) throw new Error(`${contract.id} is served to a company but its policy lets anybody in`);
      const call = callOf(contract, actor, request, reply);
      const key = request.headers["idempotency-key"];
      if (contract.idempotent && (typeof key !== "string" || !idempotencyKeyPattern.test(key)))
        throw new AppError("not_acceptable_key");
      call.givenCode = await codeOf(contract, actor, request);
      const asked = await ask(call);
      if (contract.method === "GET")
        return besides(
          actor.companyId,
          () =>
            parts.db.readCompany(actor.companyId, (tx) => act(tx, call, asked), readLimits).catch(tooSlow),
          contract.id,
        );
      if (!contract.idempotent || typeof key !== "string")
        return besides(
          actor.companyId,
          () => parts.db.withCompany(actor.companyId, (tx) => act(tx, call, asked)),
          contract.id,
        );

      const hash = requestHash([request.params, request.query, request.body]);
      const { body, replayed } = await inTurn(actor.companyId, () =>
        parts.db.withCompany(actor.companyId, (tx) =>
          answerOnce(tx, { route, key, hash, actorId: actor.id, now: call.now }, async () =>
            JSON.stringify(contract.response.parse(await act(tx, call, asked))),
          ),
        ),
      );
      if (replayed) reply.header("idempotent-replayed", "true");
      passing("before-answer");
      // The stored bytes themselves, not another serialisation of them.
      return reply
        .type("application/json; charset=utf-8")
        .serializer((text: string) => text)
        .send(body);
    });
  }

  /** A call that opens its own transactions, or none: uploads, downloads, signed-in calls of several steps. */
  function serveOutside<C extends Contract>(contract: C, act: (call: Call<C>) => Promise<unknown>) {
    register(contract, async (actor, request, reply) => {
      const call = callOf(contract, actor as Actor, request, reply);
      if (actor) call.givenCode = await codeOf(contract, actor, request);
      return act(call);
    });
  }

  return { serve, serveAsking, serveOutside };
}

export type Serve = ReturnType<typeof createServe>;

/** What PostgreSQL says of a statement that ran past its time. */
const overTimeCode = "57014";

function tooSlow(error: unknown): never {
  if ((error as { code?: unknown }).code === overTimeCode) throw new AppError("read_too_slow");
  throw error;
}

/**
 * The simulator asks for no token, so another site's page must not be able to press its buttons: neither directly, which
 * the browser says, nor by a name of its own that points here.
 */
function isOurOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return isOwnHost(request, publicUrl);
}

/** While two-factor is enforced and off, only what is needed to turn it on, and to leave (SES-046). */
const reachableWithoutTwoFactor = new Set([
  "readTwoFactorSecret",
  "setTwoFactor",
  "readUserSettings",
  "readValidationTwoFactorSecret",
  "setValidationTwoFactor",
  "readValidationUserSettings",
  "readMe",
  "changePassword",
  "confirmIdentity",
  "logout",
]);

declare module "fastify" {
  interface FastifyRequest {
    actor?: Actor;
  }
  interface FastifyContextConfig {
    contract?: Contract;
  }
}
