import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type DatabaseWithSandbox, openDatabase } from "../../../platform/db/database.ts";
import { testDatabase } from "../../../platform/db/test-database.ts";
import { type Jobs, openJobs } from "../../../platform/jobs/jobs.ts";
import { createLog } from "../../../platform/log.ts";
import { queueMail } from "../../../platform/mail/send-mail.ts";
import { jobs as jobQueues } from "../../../registry.ts";
import { demoCompanies, seedDemo } from "../demo/seed.ts";
import { infractionDeliveryLock } from "../infractions/store.ts";
import { createSandboxNetwork, type SandboxNetwork } from "../network/index.ts";
import { networkDeliveryLock } from "../network/store.ts";
import { fixedClock, monday, order } from "../network/testing.ts";
import { startOver } from "./start-over.ts";

const clock = fixedClock(monday);
const log = createLog("silent");
const companyId = demoCompanies[0]!.id;

let db: DatabaseWithSandbox;
let jobs: Jobs;
let network: SandboxNetwork;
beforeEach(async () => {
  const { config } = await testDatabase();
  db = openDatabase(config);
  jobs = await openJobs(config, log, false, jobQueues);
  network = createSandboxNetwork({ db, clock, log });
  await seedDemo(db, clock);
});
afterEach(async () => {
  await jobs.stop();
  await db.close();
});

const queueOne = () =>
  db.withCompany(companyId, (tx) =>
    queueMail(tx, jobs, {
      to: "a@b.example",
      subject: "Oi",
      content: { greeting: "Oi", paragraphs: [] },
      now: clock.now(),
    }),
  );

it("leaves no work for deleted companies", async () => {
  await queueOne();
  await startOver(db, clock, network);
  const { rows } = await db.pool.query("SELECT FROM pgboss.job");
  expect(rows).toHaveLength(0);
});

/** Returns the disk file of each table; emptying a table gives it a new file. */
async function placesOfTables(): Promise<Map<string, number>> {
  const { rows } = await db.pool.query<{ name: string; place: number }>(
    `SELECT oid::regclass::text AS name, pg_relation_filenode(oid) AS place FROM pg_class
     WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'sandbox'::regnamespace)`,
  );
  return new Map(rows.map(({ name, place }) => [name, place]));
}

it("empties every table that a person or the moved clock may have written", async () => {
  const before = await placesOfTables();
  await startOver(db, clock, network);
  const after = await placesOfTables();
  const kept = [...before].filter(([name, place]) => after.get(name) === place).map(([name]) => name);
  expect(kept.sort()).toEqual([
    "books_checks",
    "error_reports",
    "event_relay",
    "event_subscribers",
    "installation",
    "ledger_moves",
    "migrations",
    "sandbox.settings",
  ]);
});

it("resets the single row of each table that it does not empty, also during a books check", async () => {
  const fetchRows = async () => {
    const { rows } = await db.pool.query(
      `SELECT (SELECT to_jsonb(b) FROM books_checks b) AS books, (SELECT to_jsonb(i) FROM installation i) AS installation,
         (SELECT to_jsonb(s) FROM sandbox.settings s) AS settings`,
    );
    return rows[0];
  };
  const first = await fetchRows();
  await db.pool.query(
    `UPDATE books_checks SET claimed_until = now(), checked_at = now(), checked_fully_at = now(), horizon = 1, faults = '[{}]'`,
  );
  await db.pool.query("UPDATE installation SET shows_notices_in_sandbox = true");
  await network.changeSettings({ failure_percent: 50 });
  await startOver(db, clock, network);
  expect(await fetchRows()).toEqual(first);
});

/** Returns the columns of instants that hold a value in that year or later. */
async function columnsThatReach(year: number): Promise<string[]> {
  const { rows: columns } = await db.pool.query<{ table: string; column: string }>(
    `SELECT a.attrelid::regclass::text AS table, quote_ident(a.attname) AS column
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'sandbox'::regnamespace, 'pgboss'::regnamespace)
       AND a.atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) AND NOT a.attisdropped
     ORDER BY 1, 2`,
  );
  const reach: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await db.pool.query(`SELECT FROM ${table} WHERE ${column} >= $1 LIMIT 1`, [
      `${year}-01-01`,
    ]);
    if (rows.length > 0) reach.push(`${table}.${column}`);
  }
  return reach;
}

it("returns to the real time, and leaves no row that waits for an instant of the moved clock", async () => {
  await network.moveClockTo(new Date("2200-01-06T13:00:00Z"));
  const moved = clock.now();
  await queueOne();
  await network.changeSettings({ pix_latency_ms: 3_600_000 });
  await network.rails.send([order()]);
  await db.withCompany(companyId, (tx) =>
    sql`
      SELECT post_movements(${companyId}, ${moved}, ARRAY[
        ('01990000-0000-7000-8000-000000000009', 'DEPOSIT', 'pix:x', 'pix_in', 'available', 500, 'Pix', '{}')::movement])
    `.execute(tx),
  );
  const later = new Date(moved.getTime() + 3_600_000);
  const plant = (statement: string, ...values: unknown[]) => db.pool.query(statement, [companyId, ...values]);
  await plant(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, posting_cause, created_at, updated_at, ask_at)
     VALUES ($1, $1, 'refunding', 'pix_key', 1, 1, 'pix:E1', $2, $2, $2)`,
    later,
  );
  await plant(
    `INSERT INTO payin_refunds (company_id, id, payin_id, amount, nature, status, created_at, ask_at)
     VALUES ($1, $1, $1, 1, 'asked', 'processing', $2, $2)`,
    later,
  );
  await plant(
    `INSERT INTO pix_keys (company_id, id, key_type, status, created_at, ask, ask_id, asked_at)
     VALUES ($1, $1, 'CHAVE_ALEATORIA', 'PENDING', $2, 'register', $1, $2)`,
    later,
  );
  await plant(
    `INSERT INTO infractions (company_id, id, provider_id, transaction_id, amount, payer_name, situation_type, infraction_date,
       analysis_due_at, analysis_status, report_at)
     VALUES ($1, $1, 'p', 'E1', 1, 'M', 'scam', now(), $2, 'accepted', $2)`,
    later,
  );
  await plant(
    `INSERT INTO rail_dead_letters (company_id, event_id, why, detail, payload, since, try_at)
     VALUES ($1, 'e', 'failed', '', '{}', $2, $2)`,
    later,
  );
  await plant(
    `INSERT INTO event_dead_letters (company_id, subscriber, position, object_kind, object_id, tries, since, try_at)
     VALUES ($1, 's', 1, 'payment', $1, 1, $2, $2)`,
    later,
  );
  await db.pool.query("INSERT INTO sandbox.infraction_events (id, payload, due_at) VALUES ('e', '{}', $1)", [
    later,
  ]);
  expect(await columnsThatReach(2200)).toEqual(
    expect.arrayContaining([
      "event_dead_letters.try_at",
      "infractions.report_at",
      "ledger_accounts.last_at",
      "mails.created_at",
      "payin_refunds.ask_at",
      "payins.ask_at",
      "pix_keys.asked_at",
      "rail_dead_letters.try_at",
      "sandbox.events.due_at",
      "sandbox.infraction_events.due_at",
    ]),
  );

  await startOver(db, clock, network);

  expect(clock.now().toISOString()).toBe(monday);
  expect(await columnsThatReach(2200)).toEqual([]);
});

it("waits until no request is being received", async () => {
  for (const lock of [networkDeliveryLock, infractionDeliveryLock]) {
    const teller = await db.pool.connect();
    await teller.query("BEGIN");
    await teller.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    let isOver = false;
    const over = startOver(db, clock, network).then(() => {
      isOver = true;
    });
    await vi.waitFor(async () => {
      const { rows } = await db.pool.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      expect(rows.length).toBe(1);
    });
    expect(isOver).toBe(false);
    await teller.query("COMMIT");
    teller.release();
    await over;
  }
});

it("completes while people and the network are active", async () => {
  network.listen(async () => {
    await db.withCompany(companyId, (tx) => sql`SELECT count(*) FROM mails`.execute(tx));
  });
  let stop = false;
  const work = async (step: () => Promise<unknown>) => {
    // Queued requests may be refused meanwhile; they must neither hang nor break later ones.
    while (!stop) await step().catch(() => undefined);
  };
  const workers = [
    work(queueOne),
    work(queueOne),
    work(() => network.rails.send([order()])),
    work(() => network.deliverDue()),
  ];
  for (let round = 0; round < 5; round++) await startOver(db, clock, network);
  stop = true;
  await Promise.all(workers);

  await startOver(db, clock, network);
  const { rows } = await db.withSystem((tx) =>
    sql<{ mails: number; companies: number }>`
      SELECT (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM companies) AS companies
    `.execute(tx),
  );
  expect(rows).toEqual([{ mails: 0, companies: 2 }]);
  expect(await network.inFlight()).toBe(0);
});
