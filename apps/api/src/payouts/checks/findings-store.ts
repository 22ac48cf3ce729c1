/** Stored findings of large batches, valid until data changes that they were compared with. */

import type { CalendarDate } from "@malote/domain/calendar";
import type { CheckKind } from "@malote/domain/checks";
import { dayMs } from "@malote/domain/durations";
import { sql } from "kysely";
import type { Database, Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import type { Found, PageRange } from "./store.ts";

/** Invalidates stored findings. Call it in every transaction that changes comparable payments. */
export async function invalidateFindings(tx: Tx, now: Date): Promise<void> {
  await sql`
    ${prepared} INSERT INTO payment_changes (company_id, id, at) VALUES (${tx.companyId}, ${uuidv7(now.getTime())}, ${now})
  `.execute(tx);
}

/** Returns a fingerprint of all committed changes; a maximum would miss a transaction that commits late. */
export async function readChangesFingerprint(tx: Tx): Promise<string> {
  return onlyRow(
    await sql<{ changes: string }>`
      SELECT count(*) || '-' || to_hex(coalesce(bit_xor(uuid_hash_extended(id, 0)), 0)) AS changes FROM payment_changes
      WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).changes;
}

/** Deletes old changes. Findings are valid for a day, and a missing change only causes a new evaluation. */
export async function deleteOldChanges(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - changesKeptMs);
  await db.withSystem((tx) => sql`DELETE FROM payment_changes WHERE at < ${before}`.execute(tx));
}
const changesKeptMs = 2 * dayMs;

interface KeptBatch {
  id: string;
  revision: number;
}

/** Day and committed changes for which findings are valid. */
interface AsOf {
  changes: string;
  today: CalendarDate;
}

/** Returns the stored findings, when revision, day and committed changes are the same. */
export async function findStoredFindings(tx: Tx, batch: KeptBatch, as: AsOf): Promise<Found[] | undefined> {
  const { rows } = await sql<{ found: Found[] }>`
    SELECT coalesce((SELECT jsonb_agg(e - 'all' ORDER BY nth) FROM jsonb_array_elements(c.found) WITH ORDINALITY l (e, nth)), '[]') AS found
    FROM batch_checks c WHERE ${holds(tx, batch, as)}
  `.execute(tx);
  return rows[0]?.found;
}

const holds = (tx: Tx, batch: KeptBatch, { changes, today }: AsOf) => sql`
  c.company_id = ${tx.companyId} AND c.batch_id = ${batch.id} AND c.revision = ${batch.revision}
    AND (c.checked_at AT TIME ZONE 'America/Sao_Paulo')::date = ${today}::date AND c.changes = ${changes}`;

/** Returns a page of one kind, when all findings are stored; `found` is null when there are none of that kind. */
export async function findStoredPart(
  tx: Tx,
  batch: KeptBatch,
  as: AsOf,
  kind: CheckKind,
  { from, max }: PageRange,
): Promise<{ found: Found | null } | undefined> {
  const { rows } = await sql<{ found: Found | null }>`
    SELECT (
      SELECT e - 'all' || jsonb_build_object('first', jsonb_path_query_array(e -> 'all', '$[$from to $to]',
        jsonb_build_object('from', ${from}::int, 'to', ${from + max - 1}::int)))
      FROM jsonb_array_elements(c.found) e WHERE e ->> 'kind' = ${kind}
    ) AS found
    FROM batch_checks c WHERE ${holds(tx, batch, as)} AND (c.found = '[]' OR c.found -> 0 ? 'all')
  `.execute(tx);
  return rows[0];
}

/**
 * Finding with the list `all`, stored only after a reader asked for more than the first page: a closing reads this row
 * and does not need it.
 */
interface KeptFound extends Found {
  all?: Found["first"];
}

export async function storeFindings(
  tx: Tx,
  batch: KeptBatch,
  { found, changes, now }: { found: readonly KeptFound[]; changes: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO batch_checks (company_id, batch_id, revision, checked_at, changes, found)
    VALUES (${tx.companyId}, ${batch.id}, ${batch.revision}, ${now}, ${changes}, ${JSON.stringify(found)}::jsonb)
    ON CONFLICT (company_id, batch_id) DO UPDATE SET revision = excluded.revision, checked_at = excluded.checked_at,
      changes = excluded.changes, found = excluded.found
  `.execute(tx);
}
