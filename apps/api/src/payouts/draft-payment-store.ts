/** Writes of payments of both kinds: drafts, single payments and corrections. The caller holds the batch's row lock. */
import { paymentTransitions } from "@malote/domain/payment-status";
import { sql } from "kysely";
import { countBeforeAndAfter, type MovedCount } from "../indicators/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { emissionOf, emit, eventActorOf } from "../platform/events/emit.ts";
import { assignments, columnDefinitions, columnList, sqlIsOfKind } from "./column-lists.ts";
import { importedColumns, type PaymentKind, type WrittenPayment, writtenColumns } from "./payment-columns.ts";

/** Growth of a draft, with `value` in centavos. */
export interface DraftDelta {
  value: number;
  payments: number;
  errors: number;
}

const recordset = (kind: PaymentKind, records: readonly object[]) => sql`
  jsonb_to_recordset(${JSON.stringify(records, wholeText)}::jsonb) AS r (id uuid, ${columnDefinitions(writtenColumns[kind])})`;

/**
 * Adds new payments to a draft and updates existing ones in one statement; returns the growth of the batch. Skips a
 * payment of another batch or kind, which `written` then does not count.
 */
export async function writeDraftPayments<K extends PaymentKind>(
  tx: Tx,
  { batchId, kind, now }: { batchId: string; kind: K; now: Date },
  payments: readonly WrittenPayment<K>[],
): Promise<DraftDelta & { written: number }> {
  const columns = columnList(writtenColumns[kind]);
  return onlyRow(
    await sql<DraftDelta & { written: number }>`
    WITH given AS (
      SELECT r.*, row_number() OVER () AS n FROM ${recordset(kind, payments)}
    ), changed AS (
      UPDATE transfers t SET ${assignments(writtenColumns[kind])}
      FROM given
      WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = given.id AND t.status = 'CREATED'
        AND ${sqlIsOfKind[kind]}
      RETURNING coalesce(t.value, 0) - coalesce(old.value, 0) AS value, 0 AS payments,
                (t.errors IS NOT NULL)::int - (old.errors IS NOT NULL)::int AS errors
    ), added AS (
      INSERT INTO transfers (company_id, batch_id, status, created_at, position, id, ${columns})
      SELECT ${tx.companyId}::uuid, ${batchId}::uuid, 'CREATED', ${now}::timestamptz,
        coalesce((SELECT max(position) FROM transfers WHERE company_id = ${tx.companyId} AND batch_id = ${batchId}), 0) + n,
        id, ${columns}
      FROM given
      WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = given.id)
      -- A concurrent transaction used the id for another batch.
      ON CONFLICT (company_id, id) DO NOTHING
      RETURNING coalesce(value, 0) AS value, 1 AS payments, (errors IS NOT NULL)::int AS errors
    ), every_row AS (SELECT * FROM changed UNION ALL SELECT * FROM added)
    SELECT coalesce(sum(value), 0)::bigint AS value, coalesce(sum(payments), 0)::int AS payments,
           coalesce(sum(errors), 0)::int AS errors, count(*)::int AS written
    FROM every_row
  `.execute(tx),
  );
}

/** Moves the staged rows of `import_rows` into the draft and empties the table for the next ones. */
export async function addImportedPayments(
  tx: Tx,
  { batchId, kind, now }: { batchId: string; kind: PaymentKind; now: Date },
): Promise<void> {
  const columns = columnList(importedColumns[kind]);
  await sql`
    INSERT INTO transfers (company_id, batch_id, status, created_at, ${columns})
    SELECT ${tx.companyId}::uuid, ${batchId}::uuid, 'CREATED', ${now}::timestamptz, ${columns} FROM import_rows
  `.execute(tx);
  await sql`TRUNCATE import_rows`.execute(tx);
}

/**
 * Inserts the only payment of a batch, on its way from the start. `limit` is the day and the period in which it counts.
 */
export async function insertSentPayment<K extends PaymentKind>(
  tx: Tx,
  of: { batchId: string; kind: K; executeAt: Date; limit: { day: string; period: string }; now: Date },
  payment: WrittenPayment<K>,
): Promise<void> {
  const { batchId, kind, executeAt, limit, now } = of;
  const columns = columnList(writtenColumns[kind]);
  await sql`
    INSERT INTO transfers (company_id, batch_id, position, status, execute_at, limit_day, limit_period, created_at, id, ${columns})
    SELECT ${tx.companyId}::uuid, ${batchId}::uuid, 1, ${executeAt > now ? "SCHEDULED" : "RECEIVED"},
      ${executeAt}::timestamptz, ${limit.day}::date, ${limit.period}, ${now}::timestamptz, id, ${columns}
    FROM ${recordset(kind, [payment])}
  `.execute(tx);
}

/** Columns that a correction writes: the amount stays reserved, and a corrected payment has no issues. */
const corrected = (kind: PaymentKind) =>
  writtenColumns[kind].filter((column) => column !== "value" && column !== "errors");

/** Actor and call that resend a payment. */
export interface ResendContext {
  actor: Pick<Actor, "kind" | "id" | "name">;
  now: Date;
  requestId?: string;
  /** Names of the approvers, when approval was needed. */
  approvedBy?: readonly string[];
}

/** Resends a corrected payment as a new order to the bank. Returns undefined when the payment is not failed. */
export async function updateResentPayments<K extends PaymentKind>(
  tx: Tx,
  {
    kind,
    batchId,
    executeAt,
    change,
    acting,
  }: { kind: K; batchId: string; executeAt: Date; change: string | null; acting: ResendContext },
  payment: WrittenPayment<K>,
): Promise<MovedCount | undefined> {
  const { actor, now, approvedBy = [] } = acting;
  const isLater = executeAt > now;
  const { rows } = await sql<MovedCount & { value: number | null }>`
    UPDATE transfers t SET ${assignments(corrected(kind))},
      status = ${isLater ? "SCHEDULED" : "RECEIVED"}, execute_at = ${executeAt}, status_description = NULL,
      end_to_end_id = NULL, claimed_at = NULL, sent_at = NULL
    FROM (SELECT r.* FROM ${recordset(kind, [payment])}) given
    WHERE t.company_id = ${tx.companyId} AND t.id = given.id AND ${sqlIsOfKind[kind]}
      AND t.status IN ${movesTo(paymentTransitions, ["RECEIVED", "SCHEDULED"], ["FAILED"])}
    RETURNING t.value, ${countBeforeAndAfter}
  `.execute(tx);
  const [sent] = rows;
  if (!sent) return undefined;
  if (sent.value === null) throw new Error(`payment ${payment.id} failed without an amount`);
  await emit(tx, emissionOf(acting), {
    type: "payment.sent_again",
    objectId: payment.id,
    payload: {
      batchId,
      amount: sent.value,
      by: eventActorOf(actor),
      scheduledFor: isLater ? executeAt.toISOString() : null,
      ...(change !== null && { change }),
      ...(approvedBy.length > 0 && { approvedBy: [...approvedBy] }),
    },
  });
  return sent;
}
