/** Payins as rows. */

import { type CalendarDate, startOfDay } from "@malote/domain/calendar";
import type { LateTerms } from "@malote/domain/late-charges";
import type { Cents } from "@malote/domain/money";
import {
  type PayinCategory,
  type PayinFacts,
  type PayinStatus,
  type PayinStatusWithMoney,
  type PayinType,
  payinsVisibleFrom,
  payinTransitions,
} from "@malote/domain/payin";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { wholeText } from "../platform/db/whole-text.ts";

/** Fields of PAY-022; each method has only some of them. */
export interface PayinDetails {
  installments?: number;
  digitable_line?: string;
  barcode?: string;
  br_code?: string;
  authorization_code?: string;
  card_last_digits?: string;
  pix_key?: string;
  due_date?: string;
  /** Interest and fine for late payment. */
  late?: LateTerms;
  description?: string;
  message?: string;
  rejection_reason?: string;
  /** Time at which the end of the block was reported; a block reported later does not begin. */
  block_ended_at?: string;
  /** Time at which the analysis ended with the block in force. */
  block_kept_at?: string;
}

export interface PayinRow {
  id: string;
  status: PayinStatus;
  payment_type: PayinType;
  category: PayinCategory;
  amount: Cents;
  original_amount: Cents | null;
  received_amount: Cents;
  refunded_amount: Cents;
  payer_name: string | null;
  payer_tax_id: string | null;
  end_to_end_id: string | null;
  txid: string | null;
  posting_cause: string | null;
  charge_id: string | null;
  charged_at: Date | null;
  payment_link_id: string | null;
  created_at: Date;
  updated_at: Date;
  received_at: Date | null;
  rejected_at: Date | null;
  refund_expires_at: Date | null;
  expires_at: Date | null;
  block_reason: string | null;
  block_amount: Cents | null;
  blocked_at: Date | null;
  unblocked_at: Date | null;
  /** True when the charge or link had been paid already. */
  is_double: boolean;
  details: PayinDetails;
}

export const payinColumns = sql`
  p.id, p.status, p.payment_type, p.category, p.amount, p.original_amount, p.received_amount, p.refunded_amount, p.payer_name,
  p.payer_tax_id, p.end_to_end_id, p.txid, p.posting_cause, p.charge_id, p.charged_at, p.payment_link_id, p.created_at,
  p.updated_at, p.received_at, p.rejected_at, p.refund_expires_at, p.expires_at, p.block_reason, p.block_amount, p.blocked_at,
  p.unblocked_at, p.is_double, p.details`;

/** A payin with its link. */
export interface ShownPayin extends PayinRow {
  link: { name: string; description: string | null; token: string } | null;
}

const shownColumns = sql`${payinColumns},
  (SELECT jsonb_build_object('name', l.name, 'description', l.description, 'token', l.token) FROM payment_links l
    WHERE l.company_id = p.company_id AND l.id = p.payment_link_id) AS link`;

/** PAY-007: older payins are hidden everywhere. */
export const sqlIsVisible = sql`p.created_at >= ${startOfDay(payinsVisibleFrom)}`;
export const isShown = ({ created_at: at }: Pick<PayinRow, "created_at">): boolean =>
  at >= startOfDay(payinsVisibleFrom);

/** Loads the given payins with their links; keeps the order of `rows`. */
export async function readShownPayins(tx: Tx, rows: readonly Pick<PayinRow, "id">[]): Promise<ShownPayin[]> {
  const { rows: shown } = await sql<ShownPayin>`
    SELECT ${shownColumns} FROM payins p
    WHERE p.company_id = ${tx.companyId} AND p.id = ANY(${rows.map(({ id }) => id)}::uuid[])
  `.execute(tx);
  const byId = new Map(shown.map((row) => [row.id, row]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

export async function findShown(tx: Tx, id: string): Promise<ShownPayin | undefined> {
  const { rows } = await sql<ShownPayin>`
    SELECT ${shownColumns} FROM payins p WHERE p.company_id = ${tx.companyId} AND p.id = ${id} AND ${sqlIsVisible}
  `.execute(tx);
  return rows[0];
}

/** Returns whether a precautionary block began and has not ended. */
export const isBlocked = ({ blocked_at, unblocked_at }: PayinRow): boolean =>
  blocked_at !== null && unblocked_at === null;

export const payinFactsOf = (row: PayinRow): PayinFacts => ({
  status: row.status,
  type: row.payment_type,
  amount: row.amount,
  receivedAmount: row.received_amount,
  refundedAmount: row.refunded_amount,
  refundExpiresAt: row.refund_expires_at,
  isBlocked: isBlocked(row),
});

/** Columns of a new payin; the others are null. */
export type NewPayin = Pick<PayinRow, "id" | "status" | "payment_type" | "amount" | "created_at"> &
  Partial<Omit<PayinRow, "refunded_amount" | "updated_at">> & {
    /** For a charge: time from which the scheduled work may ask its provider about it. */
    ask_at?: Date;
  };

/** Adds a payin; returns false when its id or its posting exists already. */
export async function insertPayin(tx: Tx, payin: NewPayin): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO payins (company_id, id, status, payment_type, category, amount, original_amount, received_amount, payer_name,
      payer_tax_id, end_to_end_id, txid, posting_cause, charge_id, charged_at, payment_link_id, created_at, updated_at,
      received_at, refund_expires_at, expires_at, ask_at, is_double, details)
    VALUES (${tx.companyId}, ${payin.id}, ${payin.status}, ${payin.payment_type}, ${payin.category ?? "payment"}, ${payin.amount},
      ${payin.original_amount ?? null}, ${payin.received_amount ?? 0}, ${payin.payer_name ?? null}, ${payin.payer_tax_id ?? null},
      ${payin.end_to_end_id ?? null}, ${payin.txid ?? null}, ${payin.posting_cause ?? null}, ${payin.charge_id ?? null},
      ${payin.charged_at ?? null}, ${payin.payment_link_id ?? null}, ${payin.created_at}, ${payin.created_at},
      ${payin.received_at ?? null}, ${payin.refund_expires_at ?? null}, ${payin.expires_at ?? null}, ${payin.ask_at ?? null},
      ${payin.is_double ?? false}, ${json(payin.details ?? {})})
    ON CONFLICT DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export async function findPayin(tx: Tx, id: string): Promise<PayinRow | undefined> {
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE p.company_id = ${tx.companyId} AND p.id = ${id}
  `.execute(tx);
  return rows[0];
}

/**
 * Returns the boleto of this payer and link that can still be paid in time, so that a repeated request gets the same
 * one.
 */
export async function findOpenBoleto(
  tx: Tx,
  linkId: string,
  payer: { name: string; taxId: string },
  today: CalendarDate,
): Promise<PayinRow | undefined> {
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p
    WHERE p.company_id = ${tx.companyId} AND p.payment_link_id = ${linkId} AND p.payment_type = 'boleto'
      AND p.status = 'pending' AND p.payer_name = ${payer.name}
      AND p.payer_tax_id = ${payer.taxId} AND p.details ->> 'due_date' >= ${today}
    ORDER BY p.created_at DESC, p.id DESC LIMIT 1
  `.execute(tx);
  return rows[0];
}

/** Locks a payin; every change of a payin or its money does so first. */
export async function lockPayin(tx: Tx, id: string): Promise<PayinRow | undefined> {
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE p.company_id = ${tx.companyId} AND p.id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Returns the payin whose posting has this cause. */
export async function findPayinByCause(
  tx: Tx,
  cause: string,
): Promise<Pick<PayinRow, "received_amount" | "details"> | undefined> {
  const { rows } = await sql<Pick<PayinRow, "received_amount" | "details">>`
    SELECT received_amount, details FROM payins WHERE company_id = ${tx.companyId} AND posting_cause = ${cause}
  `.execute(tx);
  return rows[0];
}

/** Returns the Pix that a contestation or a block refers to. */
export async function findPayinByEndToEndId(tx: Tx, endToEndId: string): Promise<PayinRow | undefined> {
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE p.company_id = ${tx.companyId} AND p.end_to_end_id = ${endToEndId}
  `.execute(tx);
  return rows[0];
}

/** Columns that an arrival, a block, a refund or an instalment changes. */
type Money = Pick<
  PayinRow,
  | "received_amount"
  | "received_at"
  | "refunded_amount"
  | "block_reason"
  | "block_amount"
  | "blocked_at"
  | "unblocked_at"
  | "rejected_at"
>;
type Facts = Pick<PayinRow, "charged_at" | "is_double" | "block_reason" | "rejected_at">;

/** Updates columns and merges `details` into the stored ones; returns true when the row's status allows the step. */
async function change(
  tx: Tx,
  id: string,
  now: Date,
  columns: Partial<Omit<PayinRow, "id" | "created_at" | "updated_at">>,
  allowedFrom = sql`true`,
): Promise<boolean> {
  const { details = {}, ...others } = columns;
  const sets = Object.entries(others).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql`
    UPDATE payins SET ${sql.join([...sets, sql`updated_at = ${now}`, sql`details = details || ${json(details)}`])}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND ${allowedFrom} RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

/** Updates facts and leaves the status as it is. */
export async function updatePayinFacts(
  tx: Tx,
  id: string,
  now: Date,
  facts: Partial<Facts> & { details?: PayinDetails },
): Promise<void> {
  await change(tx, id, now, facts);
}

/** Moves a payin to a status that its own allows. Its row is locked, so another status is a programming error. */
async function move(
  tx: Tx,
  id: string,
  now: Date,
  columns: Parameters<typeof change>[3] & { status: PayinStatus },
  mayKeepStatus = false,
): Promise<void> {
  const { status } = columns;
  const allowedFrom = sql`(status IN ${movesTo(payinTransitions, status)} OR (${mayKeepStatus} AND status = ${status}))`;
  if (!(await change(tx, id, now, columns, allowedFrom)))
    throw new Error(`payin ${id} may not become ${status}`);
}

/** Columns that are known once the money arrived. */
export type Arrived = Pick<PayinRow, "amount" | "received_amount" | "posting_cause" | "received_at"> &
  Partial<Pick<PayinRow, "end_to_end_id" | "refund_expires_at" | "payer_name" | "payer_tax_id">>;

export const markReceived = (tx: Tx, id: string, now: Date, arrived: Arrived): Promise<void> =>
  move(tx, id, now, { ...arrived, status: "received" });

export const markAuthorized = (
  tx: Tx,
  id: string,
  now: Date,
  sale: Pick<PayinRow, "charged_at" | "refund_expires_at" | "details">,
): Promise<void> => move(tx, id, now, { ...sale, status: "authorized" });

/** Ends a charge that can no longer be paid. */
export const markEnded = (
  tx: Tx,
  id: string,
  now: Date,
  end: Pick<PayinRow, "charged_at"> & {
    status: "unauthorized" | "expired" | "canceled_by_user" | "canceled_by_psp";
  } & Partial<Pick<PayinRow, "rejected_at" | "details">>,
): Promise<void> => move(tx, id, now, end);

/** Updates a payin after its money moved, with the status that follows; it may be the current one. */
export const settlePayin = (
  tx: Tx,
  id: string,
  now: Date,
  settled: Partial<Money> & { status: PayinStatusWithMoney; details?: PayinDetails },
): Promise<void> => move(tx, id, now, settled, true);

const json = (value: object) => sql`${JSON.stringify(value, wholeText)}::jsonb`;

/** Statuses of payins whose payer paid, wherever the money is now. */
export const paidStatuses: readonly PayinStatus[] = [
  "authorized",
  "received",
  "blocked",
  "rejected",
  "refunding",
  "partially_refunded",
  "refunded",
];

/** Joins the payin `p` with an end-to-end id. */
export const sqlJoinPayin = (companyId: RawBuilder<unknown>, endToEndId: RawBuilder<unknown>) =>
  sql`JOIN payins p ON p.company_id = ${companyId} AND p.end_to_end_id = ${endToEndId}`;

/** SQL condition on a company `c`: one of its payins has this end-to-end id. */
export const sqlHasReceived = (endToEndId: string): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM payins p WHERE p.company_id = c.company_id AND p.end_to_end_id = ${endToEndId})`;

/** Whether money arrived or a card sale was authorised; a link is paid once one of its payins is. */
export const isPaid = ({ status }: Pick<PayinRow, "status">): boolean => paidStatuses.includes(status);
