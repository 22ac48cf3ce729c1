/** CPFs and CNPJs that no company of the installation may pay. */
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { prepared } from "../platform/db/prepared.ts";

/** Returns the CPFs and CNPJs that may not be paid. */
export async function listBlockedTaxIds(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{
    tax_id: string;
  }>`${prepared} SELECT tax_id FROM blocked_tax_ids ORDER BY tax_id`.execute(tx);
  return new Set(rows.map((row) => row.tax_id));
}

export async function isTaxIdBlocked(tx: Tx, taxId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM blocked_tax_ids WHERE tax_id = ${taxId}`.execute(tx);
  return rows.length > 0;
}

/** Blocks a document. Returns false when it was blocked already. */
export async function blockTaxId(tx: AnyTx, taxId: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO blocked_tax_ids (tax_id, reason) VALUES (${taxId}, ${reason})
    ON CONFLICT (tax_id) DO NOTHING RETURNING tax_id
  `.execute(tx);
  return rows.length > 0;
}

/** Unblocks a document. Returns false when it was not blocked. */
export async function unblockTaxId(tx: AnyTx, taxId: string): Promise<boolean> {
  const { rows } = await sql`DELETE FROM blocked_tax_ids WHERE tax_id = ${taxId} RETURNING tax_id`.execute(
    tx,
  );
  return rows.length > 0;
}
