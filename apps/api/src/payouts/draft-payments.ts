/** Payments of a draft, single ones and corrected ones are written here, of both kinds. The caller holds the batch's row. */
import { transferTransitions } from "@malote/domain/transfer-status";
import { sql } from "kysely";
import { countBeforeAndAfter, type MovedCount } from "../indicators/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { emissionOf, emit, eventActorOf } from "../platform/events/emit.ts";
import {
  assignments,
  columnDefinitions,
  columnList,
  importedColumns,
  type PaymentKind,
  type WrittenPayment,
  writtenColumns,
} from "./payment-columns.ts";

/** By how much a draft grew. `value` in centavos. */
export interface DraftDelta {
  value: number;
  payments: number;
  errors: number;
}

const recordset = (kind: PaymentKind, records: readonly object[]) => sql`
  jsonb_to_recordset(${JSON.stringify(records, wholeText)}::jsonb) AS r (id uuid, ${columnDefinitions(writtenColumns[kind])})`;
const isBoleto: Readonly<Record<PaymentKind, boolean>> = { TRANSFER: false, BILLET: true };
const isOfKind = (kind: PaymentKind) => sql`(t.payment_method = 'BILLET') = ${isBoleto[kind]}`;

/**
 * Adds new payments to a draft and changes the ones it has, in one statement, and answers by how much the batch grew.
 * A payment of another batch or kind is left alone (and so missing from `written`).
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
        AND ${isOfKind(kind)}
      RETURNING coalesce(t.value, 0) - coalesce(old.value, 0) AS value, 0 AS payments,
                (t.errors IS NOT NULL)::int - (old.errors IS NOT NULL)::int AS errors
    ), added AS (
      INSERT INTO transfers (company_id, batch_id, status, created_at, position, id, ${columns})
      SELECT ${tx.companyId}::uuid, ${batchId}::uuid, 'CREATED', ${now}::timestamptz,
        coalesce((SELECT max(position) FROM transfers WHERE company_id = ${tx.companyId} AND batch_id = ${batchId}), 0) + n,
        id, ${columns}
      FROM given
      WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = given.id)
      -- Another batch took the id in this very moment.
      ON CONFLICT (company_id, id) DO NOTHING
      RETURNING coalesce(value, 0) AS value, 1 AS payments, (errors IS NOT NULL)::int AS errors
    ), every_row AS (SELECT * FROM changed UNION ALL SELECT * FROM added)
    SELECT coalesce(sum(value), 0)::bigint AS value, coalesce(sum(payments), 0)::int AS payments,
           coalesce(sum(errors), 0)::int AS errors, count(*)::int AS written
    FROM every_row
  `.execute(tx),
  );
}

/** The staged rows of `import_rows` become payments of the draft, and the table is empty for the next ones. */
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

/** The only payment of its batch, on its way from the start. `limit`: the day and period that it counts in. */
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

/** What a correction changes: its amount is reserved already and stays, and it has no mistakes. */
const corrected = (kind: PaymentKind) =>
  writtenColumns[kind].filter((column) => column !== "value" && column !== "errors");

/** Who sends a payment again, in which call. */
export interface Sending {
  actor: Pick<Actor, "kind" | "id" | "name">;
  now: Date;
  requestId?: string;
  /** Its approvers, where approval was needed. */
  approvedBy?: readonly string[];
}

/** A failed payment with its mistake corrected goes on its way again, as a new order to the bank. Undefined when it did not fail. */
export async function sendCorrected<K extends PaymentKind>(
  tx: Tx,
  {
    kind,
    batchId,
    executeAt,
    change,
    acting,
  }: { kind: K; batchId: string; executeAt: Date; change: string | null; acting: Sending },
  payment: WrittenPayment<K>,
): Promise<MovedCount | undefined> {
  const { actor, now, approvedBy = [] } = acting;
  const isLater = executeAt > now;
  const { rows } = await sql<MovedCount & { value: number | null }>`
    UPDATE transfers t SET ${assignments(corrected(kind))},
      status = ${isLater ? "SCHEDULED" : "RECEIVED"}, execute_at = ${executeAt}, status_description = NULL,
      end_to_end_id = NULL, claimed_at = NULL, sent_at = NULL
    FROM (SELECT r.* FROM ${recordset(kind, [payment])}) given
    WHERE t.company_id = ${tx.companyId} AND t.id = given.id AND ${isOfKind(kind)}
      AND t.status IN ${movesTo(transferTransitions, ["RECEIVED", "SCHEDULED"], ["FAILED"])}
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
