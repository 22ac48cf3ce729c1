/** Effects of the workers, queried as the database's superuser and independently of the product's own code. */
import type pg from "pg";
import { byForce } from "../../apps/api/src/testing/by-force.ts";
import type { Death } from "./worker-slots.ts";

export type RunQuery = <Row = Record<string, string>>(text: string, values?: unknown[]) => Promise<Row[]>;

export const askWith =
  (client: pg.Client | pg.Pool): RunQuery =>
  async (text, values = []) =>
    (await client.query(text, values)).rows;

/** Records who claimed which job and payment, and when, so that the work left by a dead worker can be identified. */
export const watchTheWork = `
  CREATE TABLE public.proof_jobs (at timestamptz, worker text, id uuid, name text, state text, timed_out boolean);
  CREATE TABLE public.proof_orphans (at timestamptz, id uuid, waited interval);
  GRANT ALL ON public.proof_jobs, public.proof_orphans TO PUBLIC;
  CREATE FUNCTION public.proof_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.proof_jobs VALUES (clock_timestamp(), session_user, NEW.id, NEW.name, NEW.state,
      coalesce(NEW.output::text LIKE '%heartbeat timeout%', false));
    RETURN NULL;
  END $$;
  CREATE TRIGGER proof_job AFTER INSERT OR UPDATE OF state ON pgboss.job_common FOR EACH ROW EXECUTE FUNCTION public.proof_job();
  CREATE FUNCTION public.proof_orphan() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.proof_orphans VALUES (clock_timestamp(), NEW.id, NEW.claimed_at - OLD.claimed_at);
    RETURN NULL;
  END $$;
  CREATE TRIGGER proof_orphan AFTER UPDATE OF claimed_at ON transfers FOR EACH ROW
    WHEN (OLD.status = 'EXECUTING' AND NEW.status = 'EXECUTING' AND NEW.claimed_at > OLD.claimed_at)
    EXECUTE FUNCTION public.proof_orphan();`;

const rules: Record<string, string> = {
  "a payment that was never ordered, or whose order is another one": `
    SELECT t.id::text AS place FROM transfers t LEFT JOIN sandbox.orders o USING (end_to_end_id)
    WHERE o.end_to_end_id IS NULL OR o.value <> t.value OR o.company_id <> t.company_id`,
  "an order of no payment": `
    SELECT o.end_to_end_id AS place FROM sandbox.orders o LEFT JOIN transfers t USING (end_to_end_id) WHERE t.id IS NULL`,
  "a payment that was tried more than once": "SELECT id::text AS place FROM transfers WHERE attempt <> 1",
  "a payment that never came to its end": `
    SELECT t.id::text || ' ' || t.status AS place FROM transfers t LEFT JOIN sandbox.orders o USING (end_to_end_id)
    WHERE t.status IS DISTINCT FROM CASE o.outcome WHEN 'settled' THEN 'FINISHED' WHEN 'failed' THEN 'FAILED' END`,
  "a batch that never came to its end": `
    SELECT id::text || ' ' || status AS place FROM batches
    WHERE status <> CASE WHEN failed_count > 0 THEN 'RECEIVED' ELSE 'FINISHED' END`,
  "money that left and was not paid by the network": `
    SELECT company_id::text AS place FROM ledger_accounts a WHERE account = 'payouts' AND balance <>
      (SELECT coalesce(sum(value), 0) FROM sandbox.orders o WHERE o.company_id = a.company_id AND outcome = 'settled')`,
  "an event that was never received": "SELECT id AS place FROM sandbox.events WHERE delivered_at IS NULL",
  "an event that was kept as a dead letter": "SELECT event_id AS place FROM rail_dead_letters",
  "a job that was never done":
    "SELECT name || ' ' || state AS place FROM pgboss.job_common WHERE state <> 'completed'",
};

/** Returns violations after all work has completed, including a wrong number of effects. */
export async function wrongEffects(ask: RunQuery, wanted: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [rule, query] of Object.entries(rules)) {
    const rows = await ask(query);
    if (rows.length > 0) faults.push(`${rule}: ${rows.length}, such as ${rows[0]?.["place"]}`);
  }
  const [orders] = await ask<{ count: number }>("SELECT count(*)::int AS count FROM sandbox.orders");
  if (orders?.count !== wanted) faults.push(`${orders?.count} orders at the network, ${wanted} were wanted`);
  return faults;
}

/** Returns the amount of unfinished work. */
export async function openWork(ask: RunQuery): Promise<number> {
  const [row] = await ask<{ open: number }>(`
    SELECT ((SELECT count(*) FROM transfers WHERE status NOT IN ('FINISHED', 'FAILED'))
      + (SELECT count(*) FROM pgboss.job_common WHERE state <> 'completed')
      + (SELECT count(*) FROM sandbox.events WHERE delivered_at IS NULL))::int AS open`);
  return row?.open ?? 0;
}

export interface PickUp {
  queue: string;
  /** Seconds until the death was noticed, and from then until another worker claimed the job. */
  noticed: number;
  taken: number;
}

export interface PickUps {
  /** Jobs that a killed worker had fetched, from its death until another worker fetched them. */
  jobs: PickUp[];
  /** Payments claimed and not handed over, from the claim until another worker claimed them. */
  payments: number[];
  jobsDone: number;
}

/** Returns how many seconds abandoned work waited. */
export async function pickUps(ask: RunQuery, deaths: readonly Death[]): Promise<PickUps> {
  const jobs = await ask<{ queue: string; noticed: number; taken: number | null }>(
    `SELECT taken.name AS queue, extract(epoch FROM next.at - died.at)::float8 AS noticed,
       extract(epoch FROM again.at - next.at)::float8 AS taken
     FROM proof_jobs taken
     CROSS JOIN LATERAL (SELECT at, timed_out FROM proof_jobs n WHERE n.id = taken.id AND n.at > taken.at ORDER BY at LIMIT 1) next
     CROSS JOIN LATERAL (SELECT min(d.at) AS at FROM jsonb_to_recordset($1::jsonb) AS d (worker text, at timestamptz)
       WHERE d.worker = taken.worker AND d.at > taken.at) died
     LEFT JOIN LATERAL (SELECT at FROM proof_jobs n WHERE n.id = taken.id AND n.state = 'active' AND n.at > next.at
       ORDER BY at LIMIT 1) again ON true
     WHERE taken.state = 'active' AND next.timed_out AND died.at < next.at`,
    [JSON.stringify(deaths)],
  );
  const payments = await ask<{ seconds: number }>(
    "SELECT extract(epoch FROM waited)::float8 AS seconds FROM proof_orphans",
  );
  const [done] = await ask<{ count: number }>(
    "SELECT count(DISTINCT id)::int AS count FROM proof_jobs WHERE state = 'completed'",
  );
  return {
    // A job that was never claimed again waited forever.
    jobs: jobs.map((job) => ({ ...job, taken: job.taken ?? Number.POSITIVE_INFINITY })),
    payments: payments.map(({ seconds }) => seconds),
    jobsDone: done?.count ?? 0,
  };
}

const plants: Record<string, string> = {
  "an order that was lost":
    "DELETE FROM sandbox.orders WHERE end_to_end_id = (SELECT end_to_end_id FROM sandbox.orders LIMIT 1)",
  "a payment ordered twice": `
    INSERT INTO sandbox.orders SELECT overlay(end_to_end_id PLACING 'zz' FROM 22), company_id, method, value, order_data, accepted_at,
      outcome, outcome_text FROM sandbox.orders LIMIT 1`,
  "an order over a centavo more": `
    UPDATE sandbox.orders SET value = value + 1 WHERE end_to_end_id = (SELECT end_to_end_id FROM sandbox.orders LIMIT 1)`,
  "a payment left lying": `
    UPDATE transfers SET status = 'EXECUTING' WHERE id = (SELECT id FROM transfers WHERE status = 'FINISHED' LIMIT 1)`,
  "a payment tried again under a new id":
    "UPDATE transfers SET attempt = 2 WHERE id = (SELECT id FROM transfers LIMIT 1)",
  "an event that was lost":
    "UPDATE sandbox.events SET delivered_at = NULL WHERE id = (SELECT id FROM sandbox.events LIMIT 1)",
  "a job that was lost": `
    UPDATE pgboss.job_common SET state = 'retry' WHERE id = (SELECT id FROM pgboss.job_common WHERE state = 'completed' LIMIT 1)`,
};
export const plantCount = Object.keys(plants).length;

/** Returns the faults that went unnoticed; they are planted one at a time and reverted. */
export async function missedPlants(client: pg.Client, wanted: number): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, plant] of Object.entries(plants)) {
    await client.query(`BEGIN; ${byForce}`);
    const { rowCount } = await client.query(plant);
    const faults = await wrongEffects(askWith(client), wanted);
    await client.query("ROLLBACK");
    if (!rowCount) missed.push(`${name} (nothing to plant it in)`);
    else if (faults.length === 0) missed.push(name);
  }
  return missed;
}
