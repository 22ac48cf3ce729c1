/** Failed payment of either kind, chosen by the caller. */
import type { PaymentStatus } from "@malote/domain/payment-status";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { sqlMarkedHolder } from "../lookups/holder-name.ts";
import type { TransferRow } from "../transfers/store.ts";

export type FailedRow = TransferRow & { barcode: string | null; description: string | null; version: string };

/** PostgreSQL's row version (xmin), which every write changes. A restored backup has other versions. */
export const rowVersion = sql`t.xmin::text AS version`;

export interface ChosenRow {
  id: string;
  status: PaymentStatus;
  value: number;
  name: string | null;
  status_description: string | null;
  version: string;
}

/**
 * Returns those of the chosen payments that belong to the batch, in its order. The caller holds the batch's row lock.
 */
export async function findChosen(tx: Tx, batchId: string, ids: readonly string[]): Promise<ChosenRow[]> {
  const { rows } = await sql<ChosenRow>`
    SELECT t.id, t.status, t.value, coalesce(t.name, t.description, ${sqlMarkedHolder}) AS name, t.status_description, ${rowVersion}
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = ANY(${[...ids]}::uuid[])
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}
