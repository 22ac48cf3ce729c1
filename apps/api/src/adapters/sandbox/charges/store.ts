/** Tables of the sandbox's acquirer and clearing house. */
import type { LateTerms } from "@malote/domain/late-charges";
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";
import type { ChargeOrder, PayinEvent, RefundOrder } from "../../../ports/charges.ts";

type State = "waiting" | "paid" | "authorized" | "refused" | "expired" | "cancelled";

export interface StoredCharge {
  id: string;
  company_id: string;
  method: ChargeOrder["method"] | "none";
  amount: number;
  charge_data: {
    payer: { name: string; taxId: string };
    receiver: { name: string };
    expiresAt?: string;
    dueDate?: string;
    late?: LateTerms | null;
  };
  taken_at: Date;
  state: State;
  /** Final event of the charge; null while it waits. */
  answer: PayinEvent | null;
}

const columns = sql`id, company_id, method, amount, charge_data, taken_at, state, answer`;

/** Stores a charge; a known id keeps its first one. `data` holds no card data. */
export async function insertCharge(
  tx: AnyTx,
  charge: Omit<StoredCharge, "charge_data"> & { charge_data: object },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO sandbox.charges (id, company_id, method, amount, charge_data, taken_at, state, answer)
    VALUES (${charge.id}, ${charge.company_id}, ${charge.method}, ${charge.amount}, ${JSON.stringify(charge.charge_data)}::jsonb,
      ${charge.taken_at}, ${charge.state}, ${charge.answer && JSON.stringify(charge.answer)}::jsonb)
    ON CONFLICT (company_id, id) DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** Key of a charge: two companies may use the same id. */
export interface ChargeName {
  companyId: string;
  id: string;
}

export async function lockCharge(
  tx: AnyTx,
  { companyId, id }: ChargeName,
): Promise<StoredCharge | undefined> {
  const { rows } = await sql<StoredCharge>`
    SELECT ${columns} FROM sandbox.charges WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/**
 * Locks the waiting charge of this code for a payer, who names no company. Returns undefined when two companies use the
 * id, because it is unclear which is intended.
 */
export async function lockPayable(tx: AnyTx, id: string): Promise<StoredCharge | undefined> {
  const { rows } = await sql<StoredCharge>`
    SELECT ${columns} FROM sandbox.charges WHERE id = ${id} AND state = 'waiting' FOR UPDATE
  `.execute(tx);
  return rows.length === 1 ? rows[0] : undefined;
}

export async function endCharge(
  tx: AnyTx,
  { companyId, id }: ChargeName,
  state: State,
  answer: PayinEvent,
): Promise<void> {
  await sql`
    UPDATE sandbox.charges SET state = ${state}, answer = ${JSON.stringify(answer)}::jsonb
    WHERE company_id = ${companyId} AND id = ${id}
  `.execute(tx);
}

/** Deletes an event that was not delivered yet. */
export async function deleteEvent(tx: AnyTx, id: string): Promise<void> {
  await sql`DELETE FROM sandbox.events WHERE id = ${id} AND delivered_at IS NULL`.execute(tx);
}

/** Returns charges that can be paid at this moment, newest first. */
export async function listWaitingCharges(tx: AnyTx, now: Date, max: number): Promise<StoredCharge[]> {
  const { rows } = await sql<StoredCharge>`
    SELECT ${columns} FROM sandbox.charges WHERE state = 'waiting' AND (charge_data ->> 'expiresAt')::timestamptz > ${now}
    ORDER BY taken_at DESC, id LIMIT ${max}
  `.execute(tx);
  return rows;
}

export async function insertRefund(
  tx: AnyTx,
  order: RefundOrder,
  result: PayinEvent,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO sandbox.refunds (id, company_id, refund_data, taken_at, news, news_at)
    VALUES (${order.id}, ${order.companyId}, ${JSON.stringify(order)}::jsonb, ${now}, ${JSON.stringify(result)}::jsonb, ${result.at})
    ON CONFLICT (id) DO NOTHING
  `.execute(tx);
}

/** Returns the refund's result, once there is one. */
export async function findRefundResult(tx: AnyTx, id: string, now: Date): Promise<PayinEvent | undefined> {
  const { rows } = await sql<{ result: PayinEvent }>`
    SELECT news AS result FROM sandbox.refunds WHERE id = ${id} AND news_at <= ${now}
  `.execute(tx);
  return rows[0]?.result;
}
