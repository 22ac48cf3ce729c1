/**
 * The product as tests use it: real routes, a real PostgreSQL with the demo companies, and a clock that moves only when
 * set. Only outside parts (payment network, mail, queue) are replaced, and a test can pass its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bases, type Contract } from "@malote/contracts/contract";
import type { Application } from "@malote/contracts/policy";
import { inventedInstitution, nameOwnInstitution } from "@malote/domain/own-institution";
import { defaultInstallationLimits } from "@malote/domain/payment-limits";
import { hash } from "@node-rs/argon2";
import type { FastifyInstance, InjectOptions } from "fastify";
import { demoPassword, seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { assemble } from "../assemble.ts";
import { setInstallationLimits } from "../company/index.ts";
import { handleEvents } from "../payments/index.ts";
import { openSecrets } from "../platform/auth/secrets.ts";
import type { Clock } from "../platform/clock.ts";
import { type Config, readConfig } from "../platform/config.ts";
import { type DatabaseWithSandbox, openDatabase } from "../platform/db/database.ts";
import { type FirstRows, testDatabase } from "../platform/db/test-database.ts";
import { deliverOnce } from "../platform/events/deliver.ts";
import { registerSubscribers } from "../platform/events/subscriber.ts";
import { localFiles } from "../platform/files/files.ts";
import type { Serve } from "../platform/http/serve.ts";
import { createServer } from "../platform/http/server.ts";
import type { JobData, Queue } from "../platform/jobs/jobs.ts";
import { createLog } from "../platform/log.ts";
import { sendMail } from "../platform/mail/send-mail.ts";
import type { Services } from "../platform/services.ts";
import type { Mail } from "../ports/mailer.ts";
import { subscribers } from "../registry.ts";
import type { Answer, AnswerOf } from "./answer.ts";
import { noRails } from "./no-rails.ts";

/** A Wednesday at 10:00 in São Paulo: banks are open and no limit is near. */
export const testStart = new Date("2026-08-12T13:00:00Z");

export interface TestClock extends Clock {
  set(instant: string | Date): void;
  advance(step: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void;
}

export function testClock(start = testStart): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    set(instant) {
      now = new Date(instant).getTime();
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
    },
  };
}

/** Services of a product whose outside is the sandbox. */
export interface TestServices extends Services {
  db: DatabaseWithSandbox;
}

export type Routes = (serve: Serve, services: TestServices) => void | Promise<void>;

export interface SendOptions {
  token?: string;
  headers?: Record<string, string>;
  address?: string;
}

export interface TestApp {
  server: FastifyInstance;
  services: TestServices;
  clock: TestClock;
  /** Jobs enqueued by committed and uncommitted work, oldest first; with the collecting queue only. */
  enqueued: { queue: Queue; data: JobData[Queue] }[];
  mails: Mail[];
  /** Handles pending events and sends the requested e-mails, as the worker does. It runs no other job. */
  sendMails(): Promise<void>;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  /** Calls a contract by its path and base, filling `:id` from params. */
  call<C extends Contract>(
    contract: C,
    input?: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown },
    options?: SendOptions,
  ): Promise<AnswerOf<C>>;
  /** Signs in a demo person. */
  as(email: string, application?: Application): Promise<Person>;
  close(): Promise<void>;
}

export interface Person {
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  call<C extends Contract>(
    contract: C,
    input?: Parameters<TestApp["call"]>[1],
    headers?: Record<string, string>,
  ): Promise<AnswerOf<C>>;
}

const demoPeople = {
  helena: "helena@aurora.example",
  rui: "rui@aurora.example",
  ana: "ana@aurora.example",
  marcos: "marcos@horizonte.example",
  lia: "lia@horizonte.example",
} as const;
export type DemoPeople = Record<keyof typeof demoPeople, Person>;

/** Signs in an admin, an operator and an analyst of Aurora, and two people of another company. */
export async function signInDemoPeople(app: Pick<TestApp, "as">): Promise<DemoPeople> {
  const { helena, rui, ana, marcos, lia } = demoPeople;
  return {
    helena: await app.as(helena),
    rui: await app.as(rui),
    ana: await app.as(ana),
    marcos: await app.as(marcos),
    lia: await app.as(lia),
  };
}

export interface TestAppOptions {
  /** Routes in addition to those of the product. */
  routes?: Routes[];
  clock?: TestClock;
  config?: Partial<Config>;
  /** Replaces services, for instance with the sandbox network or the real queue. */
  services?: (made: TestServices) => Partial<TestServices> | Promise<Partial<TestServices>>;
  seed?: boolean;
}

/** A hash stores its cost parameters, and checking it costs the same; cheap ones make sign-ins fast. */
const hashPassword = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

function demoRows(clock: Clock): FirstRows {
  return {
    name: `the demo companies at ${clock.now().toISOString()}`,
    async write(config) {
      const db = openDatabase({ ...config, max: 1 });
      await seedDemo(db, clock, hashPassword);
      await db.close();
    },
  };
}

export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? testClock();
  const folder = mkdtempSync(join(tmpdir(), "malote-app-"));
  const config = { ...readConfig({ MALOTE_LOG: "silent", MALOTE_DATA: folder }), ...options.config };
  nameOwnInstitution(config.institution);
  setInstallationLimits(config.installationLimits);
  const { config: connection } = await testDatabase((options.seed ?? true) ? demoRows(clock) : undefined);
  const enqueued: TestApp["enqueued"] = [];
  const mails: Mail[] = [];
  const unavailable = () => Promise.reject(new Error("this test has not chosen a payment network"));
  const made: TestServices = {
    config,
    log: createLog("silent"),
    db: openDatabase({ ...connection, max: 6 }),
    clock,
    secrets: openSecrets("a secret of tests that is long enough for everybody"),
    jobs: {
      enqueue: async (_tx, queue, data) => void enqueued.push({ queue, data }),
      work: async () => undefined,
      stop: async () => undefined,
    },
    files: localFiles(folder),
    mailer: { send: async (mail) => void mails.push(mail) },
    accountCheck: { findKey: unavailable, findHolder: unavailable },
    boletoRegister: { find: unavailable },
    pixCodes: { read: unavailable },
    sms: { send: unavailable },
    rails: noRails,
    connections: new Map(),
    directory: { id: noRails.id, ask: unavailable, reports: unavailable, acknowledge: unavailable },
    charges: { id: noRails.id, charge: unavailable, cancel: unavailable, refund: unavailable },
    handleEvents: (events, origin) => handleEvents(services, events, origin),
    infractions: { id: noRails.id, answer: unavailable },
  };
  const services: TestServices = { ...made, ...(await options.services?.(made)) };
  await registerSubscribers(services, subscribers);
  const server = await createServer(services);
  const serve = assemble(server, services);
  for (const routes of options.routes ?? []) await routes(serve, services);
  await server.ready();

  const send: TestApp["send"] = async (method, path, body, { token, headers, address } = {}) => {
    const answer = await server.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: path,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
      ...(address && { remoteAddress: address }),
    });
    const isJson = answer.headers["content-type"]?.toString().startsWith("application/json");
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers };
  };

  const call: TestApp["call"] = (contract, { params = {}, query = {}, body } = {}, sendOptions) => {
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ""),
    );
    const search = new URLSearchParams(query).toString();
    return send(contract.method, bases[contract.base] + path + (search && `?${search}`), body, sendOptions);
  };

  async function as(email: string, application: Application = "payments"): Promise<Person> {
    const signedIn = await authorize({ grant_type: "password", email, password: demoPassword });
    let token: string = signedIn.body.access_token;
    if (!token) throw new Error(`${email} could not sign in: ${JSON.stringify(signedIn.body)}`);
    if (application !== "payments") {
      const switched = await authorize({
        grant_type: "refresh_token",
        refresh_token: token,
        scope: application,
      });
      token = switched.body.access_token;
    }
    const sent =
      (method: string) =>
      (path: string, body?: unknown, headers: Record<string, string> = {}) =>
        send(method, path, body, { token, headers });
    return {
      token,
      get: (path, headers) => sent("GET")(path, undefined, headers),
      post: sent("POST"),
      put: sent("PUT"),
      delete: sent("DELETE"),
      call: (contract, input, headers = {}) => call(contract, input, { token, headers }),
    };
  }
  const authorize = (body: object) => send("POST", `${bases.login}/authorize`, body);

  return {
    server,
    services,
    clock,
    enqueued,
    mails,
    async sendMails() {
      await deliverOnce(services, subscribers);
      for (const { queue, data } of enqueued.splice(0))
        if (queue === "send-mail") await sendMail(services, data as JobData["send-mail"]);
    },
    send,
    call,
    as,
    async close() {
      await server.close();
      await services.jobs.stop();
      await services.db.close();
      rmSync(folder, { recursive: true, force: true });
      // The next test file of this process has not set its own institution and limits yet.
      nameOwnInstitution(inventedInstitution);
      setInstallationLimits(defaultInstallationLimits);
    },
  };
}
