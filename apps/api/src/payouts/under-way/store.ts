/** Payments under way: claimed by a worker, handed over, and moved by the network's events. */
import {
  type PaymentStatus,
  paymentTransitions,
  statusesArrived,
  statusesAwaitingReport,
  statusesWithReason,
} from "@malote/domain/payment-status";
import { sql } from "kysely";
import { sqlJoinCompany, sqlMayLeave } from "../../company/index.ts";
import { countBeforeAndAfter, type MovedCount } from "../../indicators/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { nextRetryAt } from "../../platform/db/next-retry.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { PaymentOrder, RailTiming } from "../../ports/rails.ts";
import { sqlIsPayeeBlocked } from "../rules/rules-sql.ts";
import { type TransferRow, transferColumns } from "../transfers/store.ts";

/** Statuses of closed payments that no worker has claimed yet. */
export const sqlNotBegun = movesTo(paymentTransitions, "EXECUTING");

export interface ClaimedPayment extends Omit<TransferRow, "payment_method"> {
  end_to_end_id: string;
  value: number;
  payment_method: PaymentOrder["method"];
  /** Null unless the payment is a boleto. */
  barcode: string | null;
  due_date: string | null;
  /** True when the payee was blocked after the payment was closed. */
  is_payee_blocked: boolean;
}

const claimedColumns = sql`${transferColumns}, t.barcode, t.due_date, ${sqlIsPayeeBlocked} AS is_payee_blocked`;

/**
 * Claims the next due payments for this worker and begins an attempt for each: its end-to-end id is in the database
 * before any bank receives it. Two workers never claim the same payment. The id's eleven characters are 65 bits of a
 * hash over the payment: of a hundred thousand in one minute no two collide, nor do those of two companies that chose
 * the same id. Claims only payments routed over this connection, and none while its network asks for a pause, its
 * company is blocked or its method is suspended: those wait with their money reserved.
 */
export async function claimDue(
  tx: Tx,
  now: Date,
  idStart: string,
  max: number,
  over: ConnectionScope,
): Promise<(ClaimedPayment & { attempt: number })[]> {
  const { connection } = over;
  const { rows } = await sql<ClaimedPayment & { attempt: number }>`
    WITH due AS (
      SELECT t.id FROM transfers t
      ${sqlJoinCompany(sql`t`)} AND ${sqlMayLeave(sql`t.payment_method`)}
      LEFT JOIN payment_routes r ON r.company_id = t.company_id AND r.method = t.payment_method
      WHERE t.company_id = ${tx.companyId} AND t.status IN ${sqlNotBegun} AND t.execute_at <= ${now}
        AND coalesce(r.connection, ${over.main}) = ${connection}
        AND NOT EXISTS (SELECT FROM payment_attempts p
          WHERE p.company_id = ${tx.companyId} AND p.connection = ${connection} AND p.retry_at > ${now})
      ORDER BY t.execute_at, t.id LIMIT ${max} FOR UPDATE OF t SKIP LOCKED
    ), claimed AS (
      UPDATE transfers t
      SET status = 'EXECUTING', claimed_at = ${now}, attempt = t.attempt + 1, ask_at = NULL, asks = 0, connection = ${connection},
        end_to_end_id = ${idStart} || substr(translate(
          encode(sha256(convert_to(concat_ws(' ', t.company_id, t.id, t.attempt + 1), 'UTF8')), 'base64'), '+/=', 'xyz'), 1, 11)
      FROM due WHERE t.company_id = ${tx.companyId} AND t.id = due.id
      RETURNING ${claimedColumns}, t.attempt
    ), begun AS (
      INSERT INTO payment_attempts (company_id, transfer_id, number, connection, key, submitted_at, result)
      SELECT ${tx.companyId}::uuid, id, attempt, ${connection}::text, end_to_end_id, ${now}::timestamptz, 'unanswered' FROM claimed
    )
    SELECT * FROM claimed
  `.execute(tx);
  return rows;
}

export interface OrphanedPayment extends ClaimedPayment {
  /** Result of the attempt when it was claimed; null when an older version began it. */
  result: "unanswered" | "not_sent" | "doubtful" | "accepted" | "refused" | null;
  reason: string | null;
  submitted_at: Date | null;
  /** True when neither the company is blocked nor the method suspended. */
  may_leave: boolean;
}

/**
 * Claims payments whose worker never reported the hand-over, and those due to be handed over again; from then on only
 * this call works on them. For a blocked company or a suspended method it claims only payments that the network may
 * have, so that it can be asked about them.
 */
export async function claimOrphans(
  tx: Tx,
  now: Date,
  olderThan: Date,
  max: number,
  over: ConnectionScope,
): Promise<OrphanedPayment[]> {
  const { rows } = await sql<OrphanedPayment>`
    WITH orphans AS (
      SELECT t.id, a.key, a.result, a.reason, a.submitted_at, ${sqlMayLeave(sql`t.payment_method`)} AS may_leave FROM transfers t
      ${sqlJoinCompany(sql`t`)}
      LEFT JOIN payment_attempts a ON a.company_id = t.company_id AND a.key = t.end_to_end_id
      WHERE t.company_id = ${tx.companyId} AND t.status = 'EXECUTING' AND t.sent_at IS NULL
        AND ${sqlIsOfConnection(over)} AND (${sqlMayLeave(sql`t.payment_method`)} OR a.result IS DISTINCT FROM 'not_sent')
        AND CASE WHEN a.retry_at IS NULL THEN t.claimed_at < ${olderThan} ELSE a.retry_at <= ${now} END
      ORDER BY t.claimed_at LIMIT ${max} FOR UPDATE OF t SKIP LOCKED
    ), again AS (
      UPDATE payment_attempts a
      SET result = 'unanswered', retry_at = NULL, submitted_at = ${now}, submissions = a.submissions + 1
      FROM orphans WHERE a.company_id = ${tx.companyId} AND a.key = orphans.key AND a.result = 'not_sent'
    )
    UPDATE transfers t SET claimed_at = ${now} FROM orphans
    WHERE t.company_id = ${tx.companyId} AND t.id = orphans.id
    RETURNING ${claimedColumns}, orphans.may_leave, orphans.result, orphans.reason, orphans.submitted_at
  `.execute(tx);
  return rows;
}

export interface SilentPayment {
  end_to_end_id: string;
  connection: string | null;
}

/**
 * Claims payments whose result is overdue; each becomes due again with exponential backoff, from 2 minutes up to 6
 * hours.
 */
export async function claimSilent(tx: Tx, now: Date, max: number): Promise<SilentPayment[]> {
  const { rows } = await sql<SilentPayment>`
    WITH silent AS (
      SELECT id FROM transfers
      WHERE company_id = ${tx.companyId} AND ask_at <= ${now}
        AND status IN ${statusIn(statusesAwaitingReport)}
      ORDER BY ask_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    )
    UPDATE transfers t SET asks = least(t.asks + 1, 1000),
      ask_at = ${nextRetryAt(now, sql`t.asks`, { firstSeconds: 120, longestSeconds: 6 * 3_600 })}
    FROM silent WHERE t.company_id = ${tx.companyId} AND t.id = silent.id
    RETURNING t.end_to_end_id, t.connection
  `.execute(tx);
  return rows;
}

/** Connection of an event, and the main connection, which carried the payments whose row names none. */
export interface ConnectionScope {
  connection: string;
  main: string;
}

export const sqlIsOfConnection = ({ connection, main }: ConnectionScope) =>
  sql`coalesce(t.connection, ${main}) = ${connection}`;

export interface Outcome {
  endToEndId: string;
  at: string;
  /** Amount that the network reports as paid or not paid, in centavos; null when the report has none. */
  value: number | null;
  reason: string | null;
  /** The network's id of returned money (TRF-003). */
  returnCode: string | null;
}

export interface MovedPayment extends MovedCount {
  id: string;
  batch_id: string;
  value: number;
  end_to_end_id: string;
  payment_method: PaymentOrder["method"];
  reason: string | null;
  /** Name of the payee; null when the payment has none. */
  name: string | null;
}

/**
 * Moves the payments with a status of `from` to `to`; the others have reached that status or a later one. Ignores
 * events whose value or connection differs from the payment's.
 */
export async function moveByOutcome(
  tx: Tx,
  outcomes: readonly Outcome[],
  from: readonly PaymentStatus[],
  to: "TRANSFERRED" | "FINISHED" | "FAILED" | "RETURNED",
  { finishedWithinMs, ...over }: Pick<RailTiming, "finishedWithinMs"> & ConnectionScope,
): Promise<MovedPayment[]> {
  if (outcomes.length === 0) return [];
  const ids = outcomes.map((outcome) => outcome.endToEndId);
  const { rows } = await sql<MovedPayment>`
    UPDATE transfers t
    SET status = ${to}, return_code = coalesce(o."returnCode", t.return_code),
      transfer_date = CASE WHEN ${to} IN ${statusIn(statusesArrived)} THEN coalesce(t.transfer_date, o.at) ELSE t.transfer_date END,
      failed_date = CASE WHEN ${to} = 'FAILED' THEN o.at ELSE t.failed_date END,
      returned_date = CASE WHEN ${to} = 'RETURNED' THEN o.at ELSE t.returned_date END,
      status_description = CASE WHEN ${to} IN ${statusIn(statusesWithReason)} THEN o.reason ELSE t.status_description END,
      sent_at = coalesce(t.sent_at, o.at),
      asks = 0, ask_at = CASE WHEN ${to} = 'TRANSFERRED' THEN o.at + ${finishedWithinMs} * interval '1 millisecond' END
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      AS o ("endToEndId" text, at timestamptz, value bigint, reason text, "returnCode" text)
    WHERE t.company_id = ${tx.companyId} AND t.end_to_end_id = o."endToEndId" AND t.status = ANY(${from}::text[])
      AND coalesce(o.value = t.value, true) AND ${sqlIsOfConnection(over)}
      -- Repeats the condition in a form that the index serves; the join alone may read every payment ever sent.
      AND t.end_to_end_id = ANY(${ids}::text[])
    RETURNING t.id, t.batch_id, t.value, t.end_to_end_id, t.payment_method, o.reason, coalesce(t.name, t.description) AS name,
      ${countBeforeAndAfter}
  `.execute(tx);
  return rows;
}

/** Corrects the day of arrival when "settled" is reported after "finished" or "returned". */
export async function correctArrival(
  tx: Tx,
  outcomes: readonly Outcome[],
  over: ConnectionScope,
): Promise<(MovedCount & { batch_id: string })[]> {
  if (outcomes.length === 0) return [];
  const ids = outcomes.map((outcome) => outcome.endToEndId);
  const { rows } = await sql<MovedCount & { batch_id: string }>`
    UPDATE transfers t SET transfer_date = o.at
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) AS o ("endToEndId" text, at timestamptz, value bigint)
    WHERE t.company_id = ${tx.companyId} AND t.end_to_end_id = o."endToEndId" AND t.transfer_date > o.at
      AND coalesce(o.value = t.value, true) AND ${sqlIsOfConnection(over)}
      AND t.end_to_end_id = ANY(${ids}::text[])
    RETURNING t.batch_id, ${countBeforeAndAfter}
  `.execute(tx);
  return rows;
}

export async function listBatchIds(tx: Tx, endToEndIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ batch_id: string }>`
    SELECT DISTINCT batch_id FROM transfers
    WHERE company_id = ${tx.companyId} AND end_to_end_id = ANY(${endToEndIds}::text[]) ORDER BY batch_id
  `.execute(tx);
  return rows.map((row) => row.batch_id);
}
