/**
 * The product in a separate process, with the given time zones of process and database, and a clock that moves only
 * when set, even to years in the past or the future.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bases, type Contract } from "@malote/contracts/contract";
import type pg from "pg";
import { demoCompanies, demoPassword, seedDemo } from "../../apps/api/src/adapters/sandbox/demo/seed.ts";
import { createSandbox } from "../../apps/api/src/adapters/sandbox/index.ts";
import type { SandboxNetwork } from "../../apps/api/src/adapters/sandbox/network/index.ts";
import { assemble } from "../../apps/api/src/assemble.ts";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { handleEvents, sendDuePayments } from "../../apps/api/src/payments/index.ts";
import { openSecrets } from "../../apps/api/src/platform/auth/secrets.ts";
import { readConfig } from "../../apps/api/src/platform/config.ts";
import { openDatabase } from "../../apps/api/src/platform/db/database.ts";
import { deliverOnce } from "../../apps/api/src/platform/events/deliver.ts";
import { registerSubscribers } from "../../apps/api/src/platform/events/subscriber.ts";
import { localFiles } from "../../apps/api/src/platform/files/files.ts";
import { createServer } from "../../apps/api/src/platform/http/server.ts";
import type { JobData, Queue } from "../../apps/api/src/platform/jobs/jobs.ts";
import { createLog } from "../../apps/api/src/platform/log.ts";
import type { Services } from "../../apps/api/src/platform/services.ts";
import type { Mail } from "../../apps/api/src/ports/mailer.ts";
import { jobs, subscribers } from "../../apps/api/src/registry.ts";

export interface Environment {
  network: SandboxNetwork;
  services: Services;
  mails: Mail[];
  /** Moves to an instant and runs all work that is due by then. */
  goTo(instant: string): Promise<void>;
  settle(): Promise<void>;
  call(contract: Contract, input?: CallInput): Promise<Answer>;
  books(): Promise<string[]>;
  close(): Promise<void>;
}

interface CallInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the story names the fields it needs
  body: any;
  /** For a file, the hash of its bytes. */
  sha256: string;
}

export async function openEnvironment(connection: pg.ClientConfig, start: string): Promise<Environment> {
  const folder = mkdtempSync(join(tmpdir(), "malote-time-"));
  // Runs ahead of the first day, which the sessions use: no person has to sign in again during the simulated years.
  const firstDay = Date.parse(start);
  let ahead = 0;
  const clock = { now: () => new Date(firstDay + ahead), aheadMs: () => ahead, setAhead: () => undefined };
  const waiting: { queue: Queue; data: JobData[Queue] }[] = [];
  const mails: Mail[] = [];
  const db = openDatabase({ ...connection, max: 4 });
  const log = createLog("silent");
  const config = readConfig({ MALOTE_LOG: "silent", MALOTE_DATA: folder });
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const { network, ports } = createSandbox({ db, clock, log, config, mailer });
  const services: Services = {
    ...ports,
    config,
    log,
    db,
    clock,
    secrets: openSecrets("a secret of proofs that is long enough for everybody"),
    jobs: {
      enqueue: async (tx, queue, data) => tx.afterCommit(() => void waiting.push({ queue, data })),
      work: async () => undefined,
      stop: async () => undefined,
    },
    files: localFiles(folder),
    handleEvents: (events) => handleEvents(services, events),
  };
  network.listen(services.handleEvents);
  await registerSubscribers({ db, clock }, subscribers);
  await seedDemo(db, clock);
  const server = await createServer(services);
  assemble(server, services);
  await server.ready();

  let token = "";
  async function signIn() {
    const email = demoCompanies[0]?.users[0]?.email;
    const answer = await server.inject({
      method: "POST",
      url: `${bases.login}/authorize`,
      payload: { grant_type: "password", email, password: demoPassword },
    });
    token = answer.json().access_token;
    if (!token) throw new Error(answer.body);
  }

  async function settle() {
    for (let moved = 1; moved > 0; ) {
      moved = 0;
      for (const { id } of demoCompanies) await sendDuePayments(services, { companyId: id });
      moved += await network.deliverDue();
      moved += await deliverOnce(services, subscribers);
      for (let job = waiting.shift(); job; job = waiting.shift()) {
        await jobs.get(job.queue)?.run(services, job.data);
        moved++;
      }
    }
  }

  return {
    network,
    services,
    mails,
    settle,
    async goTo(instant) {
      ahead = Date.parse(instant) - firstDay;
      await settle();
    },
    async call(contract, { params = {}, query = {}, body, headers } = {}) {
      if (!token) await signIn();
      const path = contract.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
      const search = new URLSearchParams(query).toString();
      const answer = await server.inject({
        method: contract.method,
        url: bases[contract.base] + path + (search && `?${search}`),
        headers: { authorization: `Bearer ${token}`, "idempotency-key": crypto.randomUUID(), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      const isJson = answer.headers["content-type"]?.toString().startsWith("application/json");
      if (answer.statusCode >= 400) throw new Error(`${contract.id}: ${answer.body}`);
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : undefined,
        sha256: createHash("sha256").update(answer.rawPayload).digest("hex"),
      };
    },
    books: async () => (await checkBooks(db)).map(({ rule, where }) => `${rule} (${where})`),
    async close() {
      await server.close();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
