/** Operator actions that concern all companies; the audit trail of a company holds those about it. */
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";

export async function insertOperatorEntry(
  tx: AnyTx,
  action: string,
  detail: object,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO operator_entries (at, action, detail) VALUES (${now}, ${action}, ${JSON.stringify(detail)}::jsonb)
  `.execute(tx);
}
