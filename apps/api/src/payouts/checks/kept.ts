/** What was found in a large batch, kept until something changes that it was compared with. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { CheckKind } from "@malote/domain/checks";
import { sql } from "kysely";
import type { Database, Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import type { Found, Part } from "./store.ts";

/**
 * Said by whatever changes what a batch may be compared with: findings that are kept hold no longer. Part of the change's own
 * transaction.
 */
export async function notePaymentsChanged(tx: Tx, now: Date): Promise<void> {
  await sql`
    ${prepared} INSERT INTO payment_changes (company_id, id, at) VALUES (${tx.companyId}, ${uuidv7(now.getTime())}, ${now})
  `.execute(tx);
}

/** Which changes are committed. Not the last of them: one that was begun earlier may be committed later. */
export async function changesSoFar(tx: Tx): Promise<string> {
  return onlyRow(
    await sql<{ changes: string }>`
      SELECT count(*) || '-' || to_hex(coalesce(bit_xor(uuid_hash_extended(id, 0)), 0)) AS changes FROM payment_changes
      WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).changes;
}

/** Findings are kept for a day; what was deleted meanwhile only makes them looked for again. */
export async function forgetOldChanges(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - changesKeptMs);
  await db.withSystem((tx) => sql`DELETE FROM payment_changes WHERE at < ${before}`.execute(tx));
}
const changesKeptMs = 48 * 3_600_000;

interface KeptBatch {
  id: string;
  revision: number;
}

/** The day and what was committed by then: findings of another day or of other payments hold no longer. */
interface AsOf {
  changes: string;
  today: CalendarDate;
}

/** What was found in this content on this day, when nothing changed since that it was compared with. */
export async function storedFindings(tx: Tx, batch: KeptBatch, as: AsOf): Promise<Found[] | undefined> {
  const { rows } = await sql<{ found: Found[] }>`
    SELECT coalesce((SELECT jsonb_agg(e - 'all' ORDER BY nth) FROM jsonb_array_elements(c.found) WITH ORDINALITY l (e, nth)), '[]') AS found
    FROM batch_checks c WHERE ${holds(tx, batch, as)}
  `.execute(tx);
  return rows[0]?.found;
}

const holds = (tx: Tx, batch: KeptBatch, { changes, today }: AsOf) => sql`
  c.company_id = ${tx.companyId} AND c.batch_id = ${batch.id} AND c.revision = ${batch.revision}
    AND (c.checked_at AT TIME ZONE 'America/Sao_Paulo')::date = ${today}::date AND c.changes = ${changes}`;

/** A part of one kind, where all of it was kept; `found` is null where there is nothing of that kind. */
export async function storedPart(
  tx: Tx,
  batch: KeptBatch,
  as: AsOf,
  kind: CheckKind,
  { from, max }: Part,
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

/** `all` only where a reader asks for more than the first: a closing reads this row, and has no use for it. */
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
