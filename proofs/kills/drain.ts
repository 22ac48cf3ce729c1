/** Completes all pending work after the run, so that every centavo can be checked. */
import { setTimeout as sleep } from "node:timers/promises";
import { changeRails, moveClock, runPending } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { refundTransfer } from "@malote/contracts/transfers";
import type pg from "pg";
import { withClient } from "./postgres-of.ts";
import { type Company, perform, type Workload } from "./workload.ts";

const drainTimeoutMs = 300_000;
const lookEveryMs = 150;
const atOnce = 16;

/**
 * Adds money until no batch waits, advances the time until nothing is under way, and returns the money of failed
 * payments.
 */
export async function drain(connection: pg.ClientConfig, workload: Workload): Promise<void> {
  const [first] = workload.companies;
  if (!first) return;
  await perform(workload, first.admin, changeRails, { body: { timeout_percent: 0, failure_percent: 0 } });
  await withClient(connection, async (client) => {
    const deadline = performance.now() + drainTimeoutMs;
    while (performance.now() < deadline) {
      await removeTheDead(client);
      const left = await whatIsLeft(client);
      await Promise.all(left.missing.map((missing) => payIn(workload, missing)));
      // A long run leaves thousands, so it sends as many at once as there were clients.
      for (let from = 0; from < left.failed.length; from += atOnce)
        await Promise.all(left.failed.slice(from, from + atOnce).map((failed) => giveBack(workload, failed)));
      const delivered = (await perform(workload, first.admin, runPending)).done?.delivered ?? 0;
      if (left.missing.length + left.failed.length + left.jobs + delivered === 0) {
        if (left.underWay === 0) return;
        // Pending work that does not progress waits for another time: for Monday, or for the end of the period in which
        // it can be returned.
        await perform(workload, first.admin, moveClock, { body: { to: "next_business_day" } });
      }
      await sleep(lookEveryMs);
    }
  });
}

/**
 * Ages the jobs of dead processes, which are taken over after ten seconds of silence. No process works here any more,
 * so this time may as well have passed.
 */
async function removeTheDead(client: pg.Client): Promise<void> {
  await client.query(`
    UPDATE pgboss.job_common SET heartbeat_on = heartbeat_on - interval '1 minute'
    WHERE state = 'active' AND started_on <
      (SELECT min(backend_start) FROM pg_stat_activity WHERE application_name = 'malote jobs')`);
}

interface Missing {
  companyId: string;
  value: number;
}
interface Failed {
  companyId: string;
  batchId: string;
  id: string;
}

interface Left {
  missing: Missing[];
  failed: Failed[];
  jobs: number;
  /** The number of batches, payments and events that are not final. */
  underWay: number;
}

async function whatIsLeft(client: pg.Client): Promise<Left> {
  const waiting = await client.query(`
    SELECT company_id, (sum(b.value) - max(a.balance))::float8 AS value FROM batches b
    JOIN ledger_accounts a USING (company_id) WHERE b.status = 'WAITING' AND a.account = 'available' GROUP BY company_id`);
  const failed = await client.query(`
    SELECT t.company_id, t.batch_id, t.id FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE t.status = 'FAILED' AND b.status = 'RECEIVED'`);
  const counts = await client.query(`
    SELECT (SELECT count(*) FROM pgboss.job_common WHERE state NOT IN ('completed', 'cancelled')) AS jobs,
           (SELECT count(*) FROM batches WHERE status IN ('PENDING', 'WAITING'))
         + (SELECT count(*) FROM transfers WHERE status IN ('RECEIVED', 'SCHEDULED', 'EXECUTING', 'TRANSFERRED'))
         + (SELECT count(*) FROM sandbox.events WHERE delivered_at IS NULL) AS under_way`);
  return {
    missing: waiting.rows
      .map((row) => ({ companyId: row.company_id, value: row.value }))
      .filter(({ value }) => value > 0),
    failed: failed.rows.map((row) => ({ companyId: row.company_id, batchId: row.batch_id, id: row.id })),
    jobs: Number(counts.rows[0].jobs),
    underWay: Number(counts.rows[0].under_way),
  };
}

const companyOf = (workload: Workload, id: string): Company | undefined =>
  workload.companies.find((company) => company.id === id);

async function payIn(workload: Workload, { companyId, value }: Missing): Promise<void> {
  const company = companyOf(workload, companyId);
  if (!company) return;
  const { done } = await perform(workload, company.admin, depositPix, {
    body: { pix_key: company.pixKey, value },
  });
  if (done) workload.deposits.set(done.end_to_end_id, value);
}

async function giveBack(workload: Workload, { companyId, batchId, id }: Failed): Promise<void> {
  const company = companyOf(workload, companyId);
  if (company) await perform(workload, company.admin, refundTransfer, { params: { id: batchId, tid: id } });
}
