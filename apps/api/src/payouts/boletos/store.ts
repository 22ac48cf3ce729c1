/**
 * Boletos in the table `transfers`. Functions that write expect the batch's row to be locked by the same transaction.
 */

import { type BoletoDraft, type Moment, type Register, storableBoleto } from "@malote/domain/boleto";
import type { CalendarDate } from "@malote/domain/calendar";
import type { DataMark } from "@malote/domain/data-marks";
import type { Issue } from "@malote/domain/issues";
import { type PaymentStatus, paymentTransitions, statusesFreeingCode } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import type { CorrectedPayment } from "../../controls/index.ts";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import { wholeText } from "../../platform/db/whole-text.ts";
import { columnsOfTransfers, sqlIsOfKind } from "../column-lists.ts";
import type { BoletoLookup } from "../lookups/store.ts";
import {
  columnsOfDraft,
  type FieldRow,
  fieldColumns,
  fieldsOfRow,
  type ResendRecord,
  type StoredIssue,
  type WrittenPayment,
} from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlClosesEarly, sqlIsDuplicatedBoleto, sqlIsExpired, sqlIsOutdated } from "../rules/rules-sql.ts";

export interface BoletoRow extends FieldRow<"BILLET"> {
  id: string;
  batch_id: string;
  batch_name: string;
  status: PaymentStatus;
  errors: StoredIssue[] | null;
  warnings: Issue[] | null;
  data_marks: DataMark[] | null;
  /** Row of the sheet that the boleto came from. */
  sheet_row: number | null;
  status_description: string | null;
  execute_at: Date | null;
  transfer_date: Date | null;
  returned_date: Date | null;
  created_at: Date;
  receiver_id: string;
  is_duplicated: boolean;
  /** Last answer of the register. */
  lookup: (Omit<BoletoLookup, "asked_at"> & { asked_at: string }) | null;
}

const columns = sql`
  t.id, t.batch_id, (SELECT b.name FROM batches b WHERE b.company_id = t.company_id AND b.id = t.batch_id) AS batch_name,
  t.status, ${columnsOfTransfers(fieldColumns.BILLET)}, t.errors, t.warnings, t.data_marks, t.sheet_row,
  t.status_description, t.execute_at, t.transfer_date, t.returned_date, t.created_at, receiver_id(t) AS receiver_id,
  t.status = 'CREATED' AND ${sqlIsDuplicatedBoleto} AS is_duplicated,
  (SELECT to_jsonb(l) FROM boleto_lookups l WHERE l.company_id = t.company_id AND l.barcode = t.barcode) AS lookup`;

export async function findBoleto(tx: Tx, id: string): Promise<BoletoRow | undefined> {
  const [row] = await listBoletosById(tx, [id]);
  return row;
}

export async function listBoletosById(tx: Tx, ids: readonly string[]): Promise<BoletoRow[]> {
  const { rows } = await sql<BoletoRow>`
    SELECT ${columns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...ids]}::uuid[]) AND ${sqlIsOfKind.BILLET}
  `.execute(tx);
  return rows;
}

/** Returns those of these draft boletos that came from a sheet, by id. */
export async function listBoletosOfSheet(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
): Promise<Map<string, BoletoRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BoletoRow>`
    SELECT ${columns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = ANY(${[...ids]}::uuid[])
      AND ${sqlIsOfKind.BILLET} AND t.sheet_row IS NOT NULL
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the distinct dates of a draft's boletos that can still be paid in time. */
export async function listBoletoDays(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
): Promise<{ day: string | null; early: boolean }[]> {
  const { rows } = await sql<{ day: string | null; early: boolean | null }>`
    SELECT DISTINCT t.payment_date AS day, ${sqlClosesEarly} AS early FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${sqlIsOfKind.BILLET}
      AND t.status = 'CREATED' AND ${sqlIsExpired(facts)} IS NOT TRUE
  `.execute(tx);
  return rows.map(({ day, early }) => ({ day, early: early === true }));
}

export interface BoletoToWrite {
  id: string;
  draft: BoletoDraft;
  register: Register | undefined;
  errors: Issue[];
  warnings: Issue[];
  marks?: readonly DataMark[];
}

/** Returns the columns of the payment to write. */
export function recordOf(
  { id, draft, register, errors, warnings, marks = [] }: BoletoToWrite,
  moment: Moment,
): WrittenPayment<"BILLET"> {
  const kept = storableBoleto(draft, moment.today, { ...moment, register });
  return {
    id,
    ...columnsOfDraft("BILLET", kept),
    payment_method: "BILLET",
    payable_until: kept.payableUntil,
    errors: errors.length > 0 ? errors : null,
    warnings: warnings.length > 0 ? warnings : null,
    data_marks: marks.length > 0 ? marks : null,
  };
}

/** Returns a failed boleto as it would be resent; its value stays. */
export function boletoToResend(boleto: BoletoToWrite, moment: Moment): ResendRecord {
  const { value: _, ...record } = recordOf(boleto, moment);
  return { id: boleto.id, record };
}

/**
 * Returns the facts of a correction for the controls, like `readCorrectedPayment` of transfers: another code is another
 * receiver.
 */
export async function readCorrectedBoleto(
  tx: Tx,
  boleto: BoletoToWrite,
  moment: Moment,
): Promise<CorrectedPayment> {
  const { record } = boletoToResend(boleto, moment);
  return onlyRow(
    await sql<CorrectedPayment>`
    SELECT t.id, t.value, receiver_id(c) AS payee, receiver_id(c) <> receiver_id(t) AS redirects
    FROM transfers t, jsonb_populate_record(t, ${JSON.stringify(record, wholeText)}::jsonb) c
    WHERE t.company_id = ${tx.companyId} AND t.id = ${boleto.id}
  `.execute(tx),
  );
}

/** Cancels a scheduled boleto. Returns false when its time has come in the meantime. */
export async function markCancelled(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE transfers t SET status = 'RETURNED', returned_date = ${now}, status_description = 'Agendamento cancelado'
    WHERE t.company_id = ${tx.companyId} AND t.id = ${id} AND t.execute_at > ${now}
      AND t.status IN ${movesTo(paymentTransitions, "RETURNED", ["SCHEDULED"])}
      AND ${sqlIsOfKind.BILLET}
    RETURNING t.id
  `.execute(tx);
  return rows.length === 1;
}

/** Returns the wrong rows of a draft with the cells of their sheet. */
export async function findWrongBoletos(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
): Promise<(BoletoRow & { sheet_cells: Record<string, string> | null })[]> {
  const { rows } = await sql<BoletoRow & { sheet_cells: Record<string, string> | null }>`
    SELECT ${columns}, t.sheet_cells FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND (t.errors IS NOT NULL OR ${sqlIsOutdated(facts)})
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

/** Returns the boletos of a draft whose only issue is being overdue and that the register reports as payable. */
export async function listOverdueYetPayable(tx: Tx, batchId: string): Promise<BoletoRow[]> {
  const { rows } = await sql<BoletoRow>`
    SELECT ${columns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'
      AND jsonb_array_length(t.errors) = 1 AND t.errors @> '[{"code":"billet_overdue"}]'
      AND EXISTS (SELECT FROM boleto_lookups l WHERE l.company_id = t.company_id AND l.barcode = t.barcode
        AND l.outcome = 'payable')
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

/**
 * Returns the boletos of a batch without issues whose register may ask for another amount: the registered value
 * differs, or there is a discount, an abatement or a payment after the due date.
 */
export async function listBoletosPricedByRegister(
  tx: Tx,
  batchId: string,
  today: CalendarDate,
  except: RawBuilder<unknown> = sql`false`,
): Promise<BoletoRow[]> {
  const { rows } = await sql<BoletoRow>`
    SELECT ${columns} FROM transfers t
    JOIN boleto_lookups l ON l.company_id = t.company_id AND l.barcode = t.barcode AND l.outcome = 'payable'
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'
      AND ${sqlIsOfKind.BILLET} AND t.errors IS NULL
      AND ((l.registered ->> 'value')::bigint <> t.value OR jsonb_typeof(l.registered -> 'discount') = 'object'
        OR (l.registered ->> 'abatement')::bigint > 0
        OR (l.registered ->> 'dueDate')::date < greatest(t.payment_date, ${today}::date))
      AND (${except}) IS NOT TRUE
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

export const draftOf = (row: BoletoRow): BoletoDraft => fieldsOfRow("BILLET", row);

export interface BatchOfCode {
  id: string;
  name: string;
}

/** Returns the batch of another payment with this code, unless that payment was refused or returned (BIL-013). */
export async function findBatchOfCode(
  tx: Tx,
  barcode: string,
  except: string | undefined,
): Promise<BatchOfCode | undefined> {
  const { rows } = await sql<BatchOfCode>`
    SELECT b.id, b.name FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE t.company_id = ${tx.companyId} AND t.barcode = ${barcode} AND b.status <> 'REMOVED'
      AND t.status NOT IN ${statusIn(statusesFreeingCode)}
      AND (${except ?? null}::uuid IS NULL OR t.id <> ${except ?? null}::uuid)
    ORDER BY t.created_at, t.id LIMIT 1
  `.execute(tx);
  return rows[0];
}

/**
 * Lists the drafts of every company with a payable boleto whose price ended before `today`. Only the system may call
 * it.
 */
export async function listDraftsPricedForAnotherDay(
  tx: AnyTx,
  today: CalendarDate,
): Promise<{ companyId: string; batchId: string }[]> {
  const { rows } = await sql<{ companyId: string; batchId: string }>`
    SELECT DISTINCT b.company_id AS "companyId", b.id AS "batchId" FROM batches b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    JOIN boleto_lookups l ON l.company_id = t.company_id AND l.barcode = t.barcode AND l.outcome = 'payable'
    WHERE b.status = 'DRAFT' AND b.type = 'BILLET' AND t.errors IS NULL AND t.payable_until < ${today}::date
      AND coalesce(greatest(t.payment_date, ${today}::date) <= (l.registered ->> 'limitDate')::date, true)
  `.execute(tx);
  return rows;
}
