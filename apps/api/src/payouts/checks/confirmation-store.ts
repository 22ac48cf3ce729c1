/** Confirmations of findings: written once, never changed. */
import type { CheckKind } from "@malote/domain/checks";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";

export interface ConfirmationRow {
  kind: CheckKind;
  fingerprint: string;
  by: string;
  at: Date;
}

/** Returns the first confirmation of each finding; a later one adds nothing. */
export async function listConfirmations(tx: Tx, batchId: string): Promise<ConfirmationRow[]> {
  const { rows } = await sql<ConfirmationRow>`
    SELECT DISTINCT ON (kind, fingerprint) kind, fingerprint, confirmed_by_name AS by, confirmed_at AS at
    FROM check_confirmations WHERE company_id = ${tx.companyId} AND batch_id = ${batchId}
    ORDER BY kind, fingerprint, confirmed_at, confirmed_by
  `.execute(tx);
  return rows;
}

export async function insertConfirmations(
  tx: Tx,
  batchId: string,
  confirmations: readonly { kind: string; fingerprint: string }[],
  by: { id: string; name: string },
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO check_confirmations (company_id, batch_id, kind, fingerprint, confirmed_by, confirmed_by_name, confirmed_at)
    SELECT ${tx.companyId}::uuid, ${batchId}::uuid, c.kind, c.fingerprint, ${by.id}::uuid, ${by.name}, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(confirmations)}::jsonb) AS c (kind text, fingerprint text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
}
