/** Receivables of card sales that the acquirer owes, as the sales change them. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { Cents } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

export interface SaleReceivable {
  id: string;
  payin_id: string;
  status: "scheduled" | "received" | "canceled" | "refunded";
  installment: number;
  installments: number;
  gross_amount: Cents;
  net_amount: Cents;
}

const columns = sql`id, payin_id, status, installment, installments, gross_amount, net_amount`;

export interface NewReceivable {
  id: string;
  installment: number;
  gross_amount: number;
  net_amount: number;
  expected_receive_date: CalendarDate;
}

export async function insertReceivables(
  tx: Tx,
  sale: { payinId: string; installments: number; soldAt: Date; authorizationCode: string },
  receivables: readonly NewReceivable[],
): Promise<void> {
  await sql`
    INSERT INTO card_receivables (company_id, id, payin_id, installment, installments, status, sold_at, authorization_code,
      gross_amount, net_amount, expected_receive_date)
    SELECT ${tx.companyId}, r.id, ${sale.payinId}, r.installment, ${sale.installments}, 'scheduled', ${sale.soldAt},
      ${sale.authorizationCode}, r.gross_amount, r.net_amount, r.expected_receive_date
    FROM jsonb_to_recordset(${JSON.stringify(receivables)}::jsonb)
      AS r (id uuid, installment int, gross_amount bigint, net_amount bigint, expected_receive_date date)
  `.execute(tx);
}

export async function listSalesWithDueReceivables(tx: Tx, today: CalendarDate): Promise<string[]> {
  const { rows } = await sql<{ payin_id: string }>`
    SELECT DISTINCT payin_id FROM card_receivables
    WHERE company_id = ${tx.companyId} AND status = 'scheduled' AND expected_receive_date <= ${today}
  `.execute(tx);
  return rows.map(({ payin_id }) => payin_id);
}

/** Marks due receivables as received; returns those that this call changed. */
export async function markReceivablesReceived(
  tx: Tx,
  payinId: string,
  today: CalendarDate,
): Promise<SaleReceivable[]> {
  const { rows } = await sql<SaleReceivable>`
    UPDATE card_receivables SET status = 'received', receive_date = ${today}
    WHERE company_id = ${tx.companyId} AND payin_id = ${payinId} AND status = 'scheduled' AND expected_receive_date <= ${today}
    RETURNING ${columns}
  `.execute(tx);
  return rows;
}

/** Marks the receivables of an undone sale: received ones are returned, the others never arrive. */
export async function markReceivablesUndone(
  tx: Tx,
  payinId: string,
  refundId: string,
): Promise<SaleReceivable[]> {
  const { rows } = await sql<SaleReceivable>`
    UPDATE card_receivables SET status = CASE status WHEN 'received' THEN 'refunded' ELSE 'canceled' END, refund_id = ${refundId}
    WHERE company_id = ${tx.companyId} AND payin_id = ${payinId} AND status IN ('scheduled', 'received')
    RETURNING ${columns}
  `.execute(tx);
  return rows;
}

/** Restores the receivables to their status before this refund. */
export async function markReceivablesRedone(
  tx: Tx,
  refund: { id: string; payin_id: string },
): Promise<SaleReceivable[]> {
  const { rows } = await sql<SaleReceivable>`
    UPDATE card_receivables SET status = CASE status WHEN 'refunded' THEN 'received' ELSE 'scheduled' END, refund_id = NULL
    WHERE company_id = ${tx.companyId} AND payin_id = ${refund.payin_id} AND refund_id = ${refund.id}
    RETURNING ${columns}
  `.execute(tx);
  return rows;
}

/** SQL condition on a company `c`: one of its receivables is due. */
export const sqlHasDueReceivables = (today: CalendarDate): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM card_receivables r WHERE r.company_id = c.company_id AND r.status = 'scheduled'
        AND r.expected_receive_date <= ${today})`;
