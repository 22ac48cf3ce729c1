/** Invoices, and the payments that each of them counted. */

import { batchTypes } from "@malote/domain/batch-status";
import type { CalendarDate } from "@malote/domain/calendar";
import { startOfDay } from "@malote/domain/calendar";
import { monthAfter } from "@malote/domain/invoice";
import { statusesWithReceipt } from "@malote/domain/receipt";
import { sql } from "kysely";
import { findOwnPrice, sqlCompanies, sqlJoinCompany } from "../company/index.ts";
import { type ReportedPayment, reportColumns } from "../payouts/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { typeIn } from "../platform/db/status-in.ts";

export interface InvoiceRow {
  id: string;
  billing_period_start: CalendarDate;
  amount_of_transfers: number;
  total: number;
  due_date: CalendarDate;
  paid_at: Date | null;
  protested_at: Date | null;
  electronic_invoice_url: string | null;
  ticket_url: string | null;
  has_report: boolean;
}

const invoiceColumns = sql`
  i.id, i.billing_period_start, i.amount_of_transfers, i.total, i.due_date, i.paid_at, i.protested_at,
  i.electronic_invoice_url, i.ticket_url,
  EXISTS (SELECT FROM invoiced_transfers c WHERE c.company_id = i.company_id AND c.invoice_id = i.id) AS has_report`;

export async function listInvoices(tx: Tx): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    SELECT ${invoiceColumns} FROM invoices i WHERE i.company_id = ${tx.companyId} ORDER BY i.billing_period_start DESC
  `.execute(tx);
  return rows;
}

/** Returns unpaid invoices, the earliest due date first. */
export async function listUnpaid(tx: Tx): Promise<InvoiceRow[]> {
  const { rows } = await sql<InvoiceRow>`
    SELECT ${invoiceColumns} FROM invoices i WHERE i.company_id = ${tx.companyId} AND i.paid_at IS NULL
    ORDER BY i.due_date, i.billing_period_start
  `.execute(tx);
  return rows;
}

export async function countUnpaid(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM invoices i WHERE i.company_id = ${tx.companyId} AND i.paid_at IS NULL
    `.execute(tx),
  ).count;
}

export async function findInvoiceOfMonth(tx: Tx, month: CalendarDate): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    SELECT ${invoiceColumns} FROM invoices i
    WHERE i.company_id = ${tx.companyId} AND i.billing_period_start = ${month}
  `.execute(tx);
  return rows[0];
}

export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    SELECT ${invoiceColumns} FROM invoices i WHERE i.company_id = ${tx.companyId} AND i.id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function markPaid(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`UPDATE invoices SET paid_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(
    tx,
  );
}

export async function markProtested(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`UPDATE invoices SET protested_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(
    tx,
  );
}

export async function setDocuments(
  tx: Tx,
  id: string,
  { electronicInvoiceUrl, ticketUrl }: { electronicInvoiceUrl: string; ticketUrl: string },
): Promise<void> {
  await sql`
    UPDATE invoices SET electronic_invoice_url = ${electronicInvoiceUrl}, ticket_url = ${ticketUrl}
    WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export interface InvoiceOfCompany extends InvoiceRow {
  company_id: string;
  company_name: string;
}

/** Returns the invoices of every company, the newest month first, for callers that act for the operator. */
export async function listInvoicesOfAllCompanies(tx: AnyTx, id?: string): Promise<InvoiceOfCompany[]> {
  const { rows } = await sql<InvoiceOfCompany>`
    SELECT ${invoiceColumns}, c.company_id, c.name AS company_name
    FROM invoices i ${sqlJoinCompany(sql`i`)}
    WHERE ${id ?? null}::uuid IS NULL OR i.id = ${id ?? null}::uuid
    ORDER BY c.created_at, c.company_id, i.billing_period_start DESC
  `.execute(tx);
  return rows;
}

/**
 * Returns companies with a month to close, without a billing account, or whose price was set or removed after the last
 * run.
 */
export async function listCompaniesBehind(
  tx: AnyTx,
  month: CalendarDate,
  hasPrice: boolean,
): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT c.company_id FROM ${sqlCompanies} LEFT JOIN billing_accounts b ON b.company_id = c.company_id
    WHERE b.closed_until IS NULL OR b.closed_until < ${month}::date 
      OR b.has_price <> coalesce(c.payment_price > 0, ${hasPrice}) ORDER BY 1
  `.execute(tx);
  return rows.map((row) => row.company_id);
}

/** Returns the company's price per payment, its own before the general one; undefined when there is none. */
export async function readOwnPrice(tx: Tx, priceOfAll: number | undefined): Promise<number | undefined> {
  const own = await findOwnPrice(tx);
  return own === null ? priceOfAll : own || undefined;
}

export interface BillingAccount {
  charged_since: CalendarDate;
  closed_until: CalendarDate;
  /** True when there was a price at the last run. */
  has_price: boolean;
}

/**
 * Locks the account until the end of the transaction. For a company without one, adds it so that no earlier month is
 * charged.
 */
export async function lockAccount(tx: Tx, month: CalendarDate): Promise<BillingAccount> {
  await sql`
    INSERT INTO billing_accounts (company_id, charged_since, closed_until)
    VALUES (${tx.companyId}, ${month}, ${month}) ON CONFLICT DO NOTHING
  `.execute(tx);
  const { rows } = await sql<BillingAccount>`
    SELECT charged_since, closed_until, has_price FROM billing_accounts WHERE company_id = ${tx.companyId} FOR UPDATE
  `.execute(tx);
  if (!rows[0]) throw new Error(`no billing account of ${tx.companyId}`);
  return rows[0];
}

export async function moveAccount(tx: Tx, account: BillingAccount): Promise<void> {
  await sql`
    UPDATE billing_accounts SET charged_since = ${account.charged_since}, closed_until = ${account.closed_until},
      has_price = ${account.has_price}
    WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

interface NewInvoice {
  id: string;
  month: CalendarDate;
  chargedSince: CalendarDate;
  /** Centavos for each payment. */
  price: number;
  dueDate: CalendarDate;
  now: Date;
}

/**
 * Counts the payments that arrived by the end of the month and were not charged before, and writes the invoice, in one
 * statement whose single snapshot makes the number equal to the rows. Returns undefined when none arrived.
 */
export async function insertInvoice(
  tx: Tx,
  { id, month, chargedSince, price, dueDate, now }: NewInvoice,
): Promise<{ amount: number; total: number } | undefined> {
  const { rows } = await sql<{ amount: number; total: number }>`
    WITH arrived AS MATERIALIZED (
      SELECT t.id, row_number() OVER (ORDER BY b.closed_at, b.id, t.position, t.id) AS position
      FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
      WHERE t.company_id = ${tx.companyId} AND t.status = ANY(${[...statusesWithReceipt]}::text[])
        AND b.type IN ${typeIn(batchTypes)}
        AND t.transfer_date >= ${startOfDay(chargedSince)} AND t.transfer_date < ${startOfDay(monthAfter(month))}
        AND NOT EXISTS (
          SELECT FROM invoiced_transfers i WHERE i.company_id = ${tx.companyId} AND i.transfer_id = t.id)
    ), invoice AS (
      INSERT INTO invoices (company_id, id, billing_period_start, amount_of_transfers, price_per_transfer, total,
        due_date, closed_at)
      SELECT ${tx.companyId}, ${id}, ${month}, a.count, ${price}, a.count * ${price}::bigint, ${dueDate}, ${now}
      FROM (SELECT count(*)::int AS count FROM arrived) a WHERE a.count > 0
      RETURNING amount_of_transfers AS amount, total
    ), counted AS (
      INSERT INTO invoiced_transfers (company_id, transfer_id, invoice_id, position)
      SELECT ${tx.companyId}, arrived.id, ${id}, arrived.position FROM arrived
    )
    SELECT amount, total FROM invoice
  `.execute(tx);
  return rows[0];
}

export interface CountedPayment extends ReportedPayment {
  batch_name: string;
  counted_position: number;
}

/** Returns the next rows of an invoice's counted payments, in the order of their batches. */
export async function listNextCounted(
  tx: Tx,
  invoiceId: string,
  behind: number,
  size: number,
): Promise<CountedPayment[]> {
  const { rows } = await sql<CountedPayment>`
    SELECT ${reportColumns}, t.barcode, t.description, b.name AS batch_name, i.position AS counted_position
    FROM invoiced_transfers i
    JOIN transfers t ON t.company_id = i.company_id AND t.id = i.transfer_id
    JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE i.company_id = ${tx.companyId} AND i.invoice_id = ${invoiceId}
      AND i.position > ${behind}
    ORDER BY i.position LIMIT ${size}
  `.execute(tx);
  return rows;
}
