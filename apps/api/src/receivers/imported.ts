/**
 * Receivers that a draft imported: saved while it was made, paid by it and, so far, by no other batch. They can be
 * deleted with it (BAT-071); payments of other batches keep their own data and save the receiver again when they are
 * closed.
 */
import { sql } from "kysely";
import { type ImportedReceivers, sqlDestination, sqlIsOfKind } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

const isImported = (tx: Tx, batchId: string, since: Date) => sql`
  r.company_id = ${tx.companyId} AND r.created_at >= ${since} AND r.status = 'CREATED'
  AND r.destination IN (
    SELECT ${sqlDestination} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${sqlIsOfKind.TRANSFER})`;

async function exist(tx: Tx, batchId: string, since: Date): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM receivers r WHERE ${isImported(tx, batchId, since)}) AS any
  `.execute(tx),
  ).any;
}

async function remove(tx: Tx, batchId: string, since: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM receivers r WHERE ${isImported(tx, batchId, since)} RETURNING r.id
  `.execute(tx);
  return rows.length;
}

export const importedReceivers: ImportedReceivers = { exist, remove };
