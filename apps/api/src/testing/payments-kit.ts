/**
 * Payments in tests: the product's routes on a real PostgreSQL, the sandbox network with a clock that moves only when
 * set, and jobs that run on demand for committed work only. Closing the kit checks the books.
 */
import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance, readStatement } from "@malote/contracts/statement";
import type { TransferInput } from "@malote/contracts/transfers";
import type { SandboxCharges } from "../adapters/sandbox/charges/index.ts";
import type { MovableClock } from "../adapters/sandbox/clock.ts";
import { createSandbox, type Sandbox } from "../adapters/sandbox/index.ts";
import type { SandboxProvider } from "../adapters/sandbox/infractions/index.ts";
import type { SandboxNetwork } from "../adapters/sandbox/network/index.ts";
import type { CompanyBankAccount } from "../company/index.ts";
import { saveBankAccount } from "../company/store.ts";
import { handleInfractionEvent } from "../contestations/index.ts";
import { checkBooks } from "../ledger/check-books.ts";
import { handleEvents } from "../payments/index.ts";
import { releaseClosedBatch } from "../payouts/index.ts";
import type { Config } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { deliverOnce } from "../platform/events/deliver.ts";
import { features, jobs, subscribers } from "../registry.ts";
import type { Answer } from "./answer.ts";
import { buildTestApp, type Person, type TestApp, type TestClock, testClock, testStart } from "./app.ts";
import { makeQueueTable } from "./queue-table.ts";

/**
 * Excludes the books check, which runs when the kit closes: a test that breaks the books on purpose uses an unchecked
 * month.
 */
const schedules = features
  .flatMap((feature) => feature.schedules ?? [])
  .filter(({ name }) => name !== "books check");

export interface PaymentsKit extends TestApp {
  sandbox: Sandbox;
  network: SandboxNetwork;
  infractions: SandboxProvider;
  /** The simulated payers and banks, driven by the test. */
  charges: SandboxCharges;
  /** Helena, Rui and Ana of Aurora, and Marcos, an admin of another company. */
  admin: Person;
  operator: Person;
  analyst: Person;
  stranger: Person;
  /** Adds money to the caller's account, and lets waiting batches be paid. */
  deposit(value: number, pixKey?: string): Promise<string>;
  /**
   * Runs the jobs of committed work and everything that follows from its events. Returns the number of jobs and events.
   */
  drainJobs(): Promise<number>;
  /**
   * Advances the clock: every schedule of the product except the books check runs, the network reports what is due, and
   * all jobs run.
   */
  pass(step: Parameters<TestClock["advance"]>[0]): Promise<void>;
  passUntil(instant: string): Promise<void>;
  /** Opens a second process on the same database, with its own connections, jobs and network client. */
  another(): Promise<PaymentsKit>;
  /** Returns the faults of the books, which a test may break on purpose. */
  faults(): ReturnType<typeof checkBooks>;
}

export const auroraKey = "financeiro@aurora.example";

export async function openPayments({
  start = testStart,
  config = {},
}: {
  start?: Date | string;
  config?: Partial<Config>;
} = {}): Promise<PaymentsKit> {
  return build(movableTestClock(new Date(start)), config);
}

async function build(
  clock: TestClock & MovableClock,
  config: Partial<Config>,
  first?: TestApp,
): Promise<PaymentsKit> {
  const enqueued: TestApp["enqueued"] = [];
  let outside: Sandbox | undefined;
  const app = await buildTestApp({
    clock,
    config,
    seed: first === undefined,
    routes: [(serve) => outside?.routes(serve)],
    async services(made) {
      let { db } = made;
      if (first) {
        // Its own database is still unused; it works on the one of the first process.
        await made.db.close();
        const { host, port, user, password, database } = first.services.db.pool.options;
        db = openDatabase({
          max: 6,
          ...(host && { host }),
          ...(port && { port }),
          ...(user && { user }),
          ...(database && { database }),
          ...(typeof password === "string" && { password }),
        });
      }
      // The simulator may not start over here, as on an operator's own database.
      const config = { databaseUrl: "a test" };
      outside = createSandbox({ db, clock, log: made.log, config, mailer: made.mailer });
      return {
        ...outside.ports,
        db,
        jobs: {
          enqueue: async (tx, queue, data) => tx.afterCommit(() => enqueued.push({ queue, data })),
          work: async () => undefined,
          stop: async () => undefined,
        },
      };
    },
  });
  if (!outside) throw new Error("the sandbox is not configured");
  const { services } = app;
  const { network, infractions, charges } = outside;
  if (!first) await makeQueueTable(services.db);
  infractions.listen((event) => handleInfractionEvent(services, event));
  network.listen((events) => handleEvents(services, events));

  async function drainJobs() {
    let ran = 0;
    for (let moved = 1; moved > 0; ) {
      moved = await deliverOnce(services, subscribers);
      for (let job = enqueued.shift(); job; job = enqueued.shift()) {
        await jobs.get(job.queue)?.run(services, job.data);
        moved++;
      }
      ran += moved;
    }
    return ran;
  }

  async function letDueHappen() {
    // A settled payment can make another one due, so the loop runs until nothing changes.
    for (let moved = 1; moved > 0; ) {
      for (const { run } of schedules) await run(services);
      moved = (await network.deliverDue()) + (await infractions.deliverDue()) + (await drainJobs());
    }
  }

  const [admin, operator, analyst, stranger] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
  return {
    ...app,
    enqueued,
    sandbox: outside,
    network,
    infractions,
    charges,
    admin,
    operator,
    analyst,
    stranger,
    drainJobs,
    async deposit(value, pixKey = auroraKey) {
      const answer = await app.call(depositPix, { body: { pix_key: pixKey, value } });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      await network.deliverDue();
      await drainJobs();
      return answer.body.end_to_end_id;
    },
    async pass(step) {
      clock.advance(step);
      await letDueHappen();
    },
    async passUntil(instant) {
      clock.set(instant);
      await letDueHappen();
    },
    another: () => build(clock, config, app),
    faults: () => checkBooks(services.db),
    async close() {
      const faults = await checkBooks(services.db);
      await app.close();
      if (faults.length > 0) throw new Error(`the books are not clean: ${JSON.stringify(faults)}`);
    },
  };
}

const companyIds = ["01990000-0000-7000-8000-00000000a001", "01990000-0000-7000-8000-00000000b001"];
export const [auroraId, horizonteId] = companyIds as [string, string];

/**
 * Returns a clock that moves like the sandbox's, ahead of the real time of the sessions: days may pass without another
 * sign-in.
 */
function movableTestClock(start: Date): TestClock & MovableClock {
  const real = testClock(start);
  let ahead = 0;
  return {
    now: () => new Date(real.now().getTime() + ahead),
    aheadMs: () => ahead,
    setAhead(ms) {
      ahead = ms;
    },
    set(instant) {
      ahead = new Date(instant).getTime() - real.now().getTime();
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }) {
      ahead += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms;
    },
  };
}

let documents = 0;
/** Each payment of a test pays its own document, so that no check takes it for a double payment. */
const ownDocument = () => `documento-${++documents}`;

/** Returns a Pix by key without any finding. */
export function pix(value: number, changes: Partial<TransferInput> = {}): TransferInput {
  return {
    value,
    integration_id: ownDocument(),
    destination_bank_account: { name: "Maria Souza", pix_key_type: "EMAIL", pix_key: "maria@exemplo.com.br" },
    ...changes,
  };
}

/** Returns a TED to an account at another bank. */
export function ted(
  value: number,
  changes: Partial<TransferInput> = {},
  taxId = "11222333000181",
): TransferInput {
  return {
    value,
    integration_id: ownDocument(),
    destination_bank_account: {
      name: "Padaria Sol Nascente",
      cpf_cnpj: taxId,
      bank_id: "60701190",
      agency: "1234",
      account: "56789",
      account_digit: "7",
      account_type: "CONTA_CORRENTE",
    },
    ...changes,
  };
}

/** A company's account at another bank, which receives its withdrawals by TED. */
export const ownAccount = {
  bank_id: "60701190",
  agency: "1234",
  agency_digit: null,
  account_type: "CONTA_CORRENTE",
  account: "56789",
  account_digit: "7",
  name: "Aurora Papelaria e Serviços Ltda",
  cpfCnpj: "27418639000148",
} as const satisfies CompanyBankAccount;

/**
 * Sets the company's document. The network decides by the holder's document how a TED ends, and the holder of a
 * withdrawal account is the company itself.
 */
export async function companyIs(kit: PaymentsKit, taxId: string): Promise<void> {
  await kit.services.db.pool.query("UPDATE companies SET tax_id = $2 WHERE company_id = $1", [
    auroraId,
    taxId,
  ]);
  await kit.services.db.withCompany(auroraId, (tx) => saveBankAccount(tx, { ...ownAccount, cpfCnpj: taxId }));
}

let named = 0;

/** Creates a draft with these payments; without any, with one Pix of R$ 100. */
export async function draft(
  by: Person,
  transfers: readonly TransferInput[] = [pix(100_00)],
  name = `Lote ${++named}`,
): Promise<{ id: string; revision: number }> {
  const answer = await by.call(createBatch, { body: { name, transfers } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  if (answer.body.errors_count > 0) throw new Error(`a draft with errors: ${name}`);
  return answer.body;
}

export const closing = (
  by: Person,
  id: string,
  key: string = randomUUID(),
  body: object = {},
): Promise<Answer> => by.call(closeBatch, { params: { id }, body }, { "idempotency-key": key });

export async function fetchBalance(by: Person): Promise<number> {
  return (await by.call(readBalance)).body.value;
}

export async function batch(by: Person, id: string) {
  return (await by.call(readBatch, { params: { id } })).body;
}

export async function fetchStatuses(by: Person, id: string): Promise<string[]> {
  return (await batch(by, id)).transfers.map((transfer) => transfer.status);
}

/** Creates a closed batch of the kit's admin with reserved money, whose jobs have not run yet. */
export async function paidFor(
  kit: PaymentsKit,
  transfers: readonly TransferInput[],
  balance = 10_000_00,
): Promise<string> {
  await kit.deposit(balance);
  const { id } = await draft(kit.admin, transfers);
  const answer = await closing(kit.admin, id);
  if (!answer.body.is_batch_paid) throw new Error(JSON.stringify(answer.body));
  return id;
}

/** Runs the closing job alone: the payments are due, and no worker has claimed them yet. */
export async function releaseOnly(kit: PaymentsKit, batchId: string): Promise<void> {
  await releaseClosedBatch(kit.services, { companyId: auroraId, batchId });
  kit.enqueued.splice(0);
}

/** Returns the newest entries of the statement, over the whole period that a test may span. */
export async function fetchStatement(by: Person) {
  const answer = await by.call(readStatement, {
    query: { initialDate: "2026-01-01", endDate: "2027-12-31", page: "1" },
  });
  return answer.body;
}
