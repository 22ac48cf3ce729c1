/** Back to the first day: every company, its money and the sandbox's memory go, and the demo companies come again. */
import type pg from "pg";
import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { seedDemo } from "../demo/seed.ts";
import type { SandboxNetwork } from "../network/index.ts";

/** Work that runs at the same moment may deadlock with us; PostgreSQL then ends one of the two. */
const triesMax = 5;

export async function startOver(
  db: Database,
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
 * In one transaction, so that nobody ever sees half of it. As the owner of the tables: no role of the product may
 * empty one, least of all the ledger.
 */
async function eraseEverything(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // The locks of the network and of the provider of infractions: nothing is delivered while the handlers are replaced.
    await client.query("SELECT pg_advisory_xact_lock(7265002), pg_advisory_xact_lock(7265004)");
    const { rows } = await client.query<{ tables: string }>(`
      SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) AS tables
      FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND (c.relname = 'sign_in_failures' OR EXISTS (
          SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
        ))
    `);
    await client.query(
      `TRUNCATE ${rows[0]?.tables}, sandbox.orders, sandbox.calls, sandbox.events, sandbox.mails,
        sandbox.texts,
        sandbox.directory_entries, sandbox.directory_requests, sandbox.directory_claims, sandbox.directory_news,
        sandbox.charges, sandbox.refunds, sandbox.infractions, sandbox.infraction_events`,
    );
    await client.query("TRUNCATE installation_notices, operator_entries");
    await client.query("UPDATE installation SET shows_notices_in_sandbox = DEFAULT");
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
