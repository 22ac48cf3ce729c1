/** Work for the workers: batches of two companies, closed through the product with the real queue. */

import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batch-life";
import { sql } from "kysely";
import { movableClock } from "../../apps/api/src/adapters/sandbox/clock.ts";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from "../../apps/api/src/adapters/sandbox/network/index.ts";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { openJobs } from "../../apps/api/src/platform/jobs/jobs.ts";
import { uuidv7 } from "../../apps/api/src/platform/uuid.ts";
import { jobs as jobQueues } from "../../apps/api/src/registry.ts";
import { buildTestApp, type Person, type TestApp } from "../../apps/api/src/testing/app.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import type { Chance } from "../chance.ts";

const closedAtOnce = 4;

export interface Desk {
  app: TestApp;
  network: SandboxNetwork;
  connection: { host: string; port: number; user: string; database: string };
  /**
   * Creates and closes drafts with some payments each, and enqueues each of their jobs repeatedly in random order.
   * Returns the number of payments.
   */
  closeSome(payments: number, chance: Chance): Promise<number>;
  close(): Promise<void>;
}

/** Opens the web side of the product in this process, with the real clock and the real queue. */
export async function openDesk(): Promise<Desk> {
  const real = movableClock();
  const clock = {
    ...real,
    set: () => undefined,
    advance: () => undefined,
  };
  let network: SandboxNetwork | undefined;
  const app = await buildTestApp({
    clock,

    async services(made) {
      network = createSandboxNetwork({ db: made.db, clock: real, log: made.log });
      const { host, port, user, database } = made.db.pool.options;
      return {
        jobs: await openJobs(
          { ...made.db.pool.options, host, port, user, database } as never,
          made.log,
          false,
          jobQueues,
        ),
      };
    },
  });
  if (!network) throw new Error("the sandbox network was not made");
  const { host = "", port = 0, user = "", database = "" } = app.services.db.pool.options;
  const people = new Map<string, Person>();
  const adminOf = async (companyId: string): Promise<Person> => {
    const admin = demoCompanies.find((company) => company.id === companyId)?.users[0];
    const person = people.get(companyId) ?? (await app.as(admin?.email ?? ""));
    people.set(companyId, person);
    return person;
  };

  async function closeOne(companyId: string, id: string): Promise<void> {
    const key = { "idempotency-key": randomUUID() };
    for (let tries = 1; ; tries++) {
      const person = await adminOf(companyId);
      const answer = await person.call(closeBatch, { params: { id }, body: {} }, key);
      if (answer.status === 200 && answer.body.is_batch_paid) return;
      // The token expired, or the connection of a killed worker still held a lock.
      if (answer.status === 401) people.delete(companyId);
      else if (answer.status !== 503) throw new Error(JSON.stringify(answer.body));
      if (tries === 10) throw new Error(`a batch cannot be closed: ${JSON.stringify(answer.body)}`);
    }
  }

  return {
    app,
    network,
    connection: { host, port, user, database },
    async closeSome(payments, chance) {
      const { db, jobs, clock: now } = app.services;
      for (const { id: companyId } of demoCompanies) {
        const sizes = sizesOf(Math.ceil(payments / demoCompanies.length), chance);
        const ids = await db.withCompany(companyId, (tx) => makeDrafts(tx, now.now(), sizes, chance));
        for (let next = 0; next < ids.length; next += closedAtOnce) {
          await Promise.all(ids.slice(next, next + closedAtOnce).map((id) => closeOne(companyId, id)));
        }
        // Enqueued repeatedly and in random order, because a queue guarantees neither order nor single delivery.
        const again = ids.flatMap((batchId) => [batchId, batchId, batchId]).sort(() => chance.share() - 0.5);
        await db.withCompany(companyId, async (tx) => {
          for (const batchId of again) {
            await jobs.enqueue(tx, "send-payments", { companyId });
            await jobs.enqueue(tx, "close-batch", { companyId, batchId });
          }
        });
      }
      return demoCompanies.length * Math.ceil(payments / demoCompanies.length);
    },
    close: () => app.close(),
  };
}

/** Returns batch sizes from one to seventeen payments with that total. */
function sizesOf(payments: number, chance: Chance): number[] {
  const sizes: number[] = [];
  for (let left = payments; left > 0; ) {
    const size = Math.min(left, chance.between(1, 17));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/** Creates drafts of Pix payments, each with a nearly unique amount, and the money to pay them. */
async function makeDrafts(tx: Tx, now: Date, sizes: readonly number[], chance: Chance): Promise<string[]> {
  const batches = sizes.map((size) => ({ id: uuidv7(), size }));
  const payments = batches.flatMap(({ id, size }) =>
    Array.from({ length: size }, (_, position) => ({
      id: uuidv7(),
      batch_id: id,
      position: position + 1,
      value: chance.between(1, 900_00),
    })),
  );
  const total = payments.reduce((sum, { value }) => sum + value, 0);
  await receivePix(tx, now, [total]);
  await sql`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb)
        AS p (id uuid, batch_id uuid, position int, value bigint)
    ), made AS (
      INSERT INTO batches (company_id, id, name, type, status, value, payments_count, created_at, created_by_name)
      SELECT ${tx.companyId}::uuid, batch_id, 'Lote', 'TRANSFER', 'DRAFT', sum(value), count(*), ${now}::timestamptz, 'Rui Tavares'
      FROM given GROUP BY batch_id RETURNING id
    )
    INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, name, pix_key_type,
      pix_key, created_at)
    SELECT ${tx.companyId}::uuid, g.id, made.id, g.position, 'CREATED', g.value, 'PIX', g.id::text, 'Maria Souza', 'EMAIL',
      'maria@exemplo.com.br', ${now}::timestamptz
    FROM given g JOIN made ON made.id = g.batch_id
  `.execute(tx);
  return batches.map(({ id }) => id);
}
