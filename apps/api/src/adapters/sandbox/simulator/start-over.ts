/**
 * Resets the installation to the first day and to real time: deletes all companies, their money and the sandbox's data,
 * and creates the demo companies again. Only here may the moved clock go back, because no row is left that depends on
 * its time.
 */
import type pg from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { seedDemo } from "../demo/seed.ts";
import { infractionDeliveryLock } from "../infractions/store.ts";
import type { SandboxNetwork } from "../network/index.ts";
import { networkDeliveryLock } from "../network/store.ts";

/**
 * Tables that are not emptied: the schema's own rows, the numbering of events, pending error reports, which follow real
 * time, and tables whose single row is reset instead.
 */
const kept = [
  "books_checks",
  "error_reports",
  "event_relay",
  "event_subscribers",
  "installation",
  "ledger_moves",
  "migrations",
  "sandbox.settings",
];

/** Concurrent transactions may deadlock with this one; PostgreSQL then aborts one of the two. */
const triesMax = 5;

export async function startOver(
  db: DatabaseWithSandbox,
  clock: Clock,
  network: Pick<SandboxNetwork, "loadClock">,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await eraseEverything(db.pool);
      break;
    } catch (error) {
      if ((error as { code?: string }).code !== "40P01" || tries === triesMax) throw error;
    }
  }
  await network.loadClock();
  await seedDemo(db, clock);
}

/**
 * Erases everything in one transaction, so that no reader sees half of it. Runs as the owner of the tables: no role of
 * the product may truncate a table, least of all the ledger.
 */
async function eraseEverything(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Locks delivery of the network and of the provider of infractions while the handlers are replaced.
    await client.query("SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)", [
      networkDeliveryLock,
      infractionDeliveryLock,
    ]);
    const { rows } = await client.query<{ tables: string }>(
      `SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.oid::regclass::text) AS tables
       FROM pg_class c
       WHERE c.relnamespace IN ('public'::regnamespace, 'sandbox'::regnamespace) AND c.relkind IN ('r', 'p')
         AND c.oid::regclass::text <> ALL($1)`,
      [kept],
    );
    await client.query(`TRUNCATE ${rows[0]?.tables}`);
    await client.query("UPDATE installation SET shows_notices_in_sandbox = DEFAULT");
    // A running check of the books loses its claim and stores no result about the erased books.
    await client.query(
      "UPDATE books_checks SET claimed_until = NULL, checked_at = NULL, checked_fully_at = NULL, horizon = NULL, faults = DEFAULT",
    );
    await client.query("DELETE FROM sandbox.settings");
    await client.query("INSERT INTO sandbox.settings DEFAULT VALUES");
    const queue = await client.query<{ found: boolean }>(
      "SELECT to_regclass('pgboss.job') IS NOT NULL AS found",
    );
    if (queue.rows[0]?.found) await client.query("DELETE FROM pgboss.job");
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
