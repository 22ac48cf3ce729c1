/** Faults planted one at a time and reverted: a proof that would not notice them proves nothing. */
import type pg from "pg";
import { byForce } from "../../apps/api/src/testing/by-force.ts";
import { lostOperations, moneyFaults, restFaults } from "./questions.ts";
import type { Workload } from "./workload.ts";

const plants: Record<string, string> = {
  "a payment sent twice a minute apart": `
    INSERT INTO sandbox.orders
    SELECT overlay(end_to_end_id PLACING CASE substr(end_to_end_id, 20, 2) WHEN '00' THEN '01' ELSE '00' END FROM 20),
      company_id, method, value, order_data, accepted_at, outcome, outcome_text
    FROM sandbox.orders WHERE outcome = 'settled' LIMIT 1`,
  "an order that no call made": `
    INSERT INTO sandbox.orders SELECT overlay(end_to_end_id PLACING 'zz' FROM 22), company_id, method, value, order_data,
      accepted_at, outcome, outcome_text FROM sandbox.orders LIMIT 1`,
  "an acknowledged step that is lost": `
    DELETE FROM audit_entries WHERE id = (
      SELECT id FROM audit_entries WHERE action IN ('batch_closed', 'batch_approved') LIMIT 1)`,
  "a step done twice": `
    INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, subject_id, detail, request_id)
    SELECT company_id, at, actor_kind, actor_name, action, subject_id, detail, request_id FROM audit_entries
    WHERE action = 'batch_created' LIMIT 1`,
  "an amount that is changed by a centavo": `
    UPDATE transfers SET value = value + 1 WHERE id = (SELECT id FROM transfers WHERE status = 'CREATED' AND sheet_row IS NULL LIMIT 1)`,
  "a deposit that is lost": `
    DELETE FROM ledger_transactions WHERE cause = (SELECT cause FROM ledger_transactions WHERE type = 'DEPOSIT' LIMIT 1)`,
  "a withdrawal that no call requested": `
    UPDATE audit_entries SET subject_id = gen_random_uuid()::text
    WHERE id = (SELECT id FROM audit_entries WHERE action = 'balance_withdrawn' LIMIT 1)`,
  "a payment that stays under way": `
    UPDATE transfers SET status = 'EXECUTING' WHERE id = (SELECT id FROM transfers WHERE status = 'FINISHED' LIMIT 1)`,
  "a sheet without a batch": "UPDATE batches SET sheet_id = NULL WHERE sheet_id IS NOT NULL",
  "an event that was never delivered": "UPDATE sandbox.events SET delivered_at = NULL",
};

/** Returns the faults that went unnoticed. */
export async function missedPlants(client: pg.Client, workload: Workload): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, plant] of Object.entries(plants)) {
    await client.query(`BEGIN; ${byForce}`);
    const { rowCount } = await client.query(plant);
    const faults = [
      ...(await lostOperations(client, workload)),
      ...(await moneyFaults(client)),
      ...(await restFaults(client, workload)),
    ];
    await client.query("ROLLBACK");
    if (!rowCount) missed.push(`${name} (nothing to plant it in)`);
    else if (faults.length === 0) missed.push(name);
  }
  return missed;
}

export const plantCount = Object.keys(plants).length;
