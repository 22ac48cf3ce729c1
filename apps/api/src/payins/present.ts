/** Converts payins to the wire format. */

import { bases } from "@malote/contracts/contract";
import {
  downloadPayinReceipt,
  downloadRefundReceipt,
  type Payin,
  type PayinRefund,
} from "@malote/contracts/payins";
import { instantOrNull } from "@malote/contracts/wire";
import { type FineType, type InterestType, isFixed, percentOf, type Rate } from "@malote/domain/late-charges";
import { refundableAmount } from "@malote/domain/payin";
import { maskTaxId } from "@malote/domain/tax-id";
import type { RefundRow } from "./refund-store.ts";
import { isPaid, payinFactsOf, type ShownPayin } from "./store.ts";

const receiptOf = (id: string) => bases.payments + downloadPayinReceipt.path.replace(":id", id);
const refundReceiptOf = ({ payin_id, id }: RefundRow) =>
  bases.payments + downloadRefundReceipt.path.replace(":id", payin_id).replace(":refund_id", id);

const amountOf = ({ type, value }: Rate<InterestType | FineType>) => (isFixed(type) ? value : null);
const percentageOf = ({ type, value }: Rate<InterestType | FineType>) =>
  isFixed(type) ? null : percentOf(value);

const interestOf = (rate: Rate<InterestType> | null | undefined) => ({
  interest_type: rate?.type ?? null,
  interest_amount: rate ? amountOf(rate) : null,
  interest_percent: rate ? percentageOf(rate) : null,
});
const fineOf = (rate: Rate<FineType> | null | undefined) => ({
  fine_type: rate?.type ?? null,
  fine_amount: rate ? amountOf(rate) : null,
  fine_percent: rate ? percentageOf(rate) : null,
});

/** Returns the address of the link's page that shows only this boleto (decision 0021). */
const boletoOf = ({ payment_type: type, status, charged_at, link, id }: ShownPayin) =>
  type === "boleto" && status === "pending" && charged_at && link
    ? `/pagar/${link.token}?cobranca=${id}`
    : null;

/** True when money arrived or a card sale was authorised. */
export const hasReceipt = isPaid;

export function payinOf(row: ShownPayin, infractionIds: readonly string[], now: Date): Payin {
  const { details } = row;
  return {
    id: row.id,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    received_at: instantOrNull(row.received_at),
    refund_expires_at: instantOrNull(row.refund_expires_at),
    expires_at: instantOrNull(row.expires_at),
    amount: row.amount,
    original_amount: row.original_amount,
    received_amount: row.received_amount,
    refunded_amount: row.refunded_amount,
    refundable_amount: refundableAmount(payinFactsOf(row), now),
    rejected_at: instantOrNull(row.rejected_at),
    payer: { name: row.payer_name, tax_id: row.payer_tax_id && maskTaxId(row.payer_tax_id) },
    payment_type: row.payment_type,
    category: row.category,
    payment_link_id: row.payment_link_id,
    paid_twice: row.is_double,
    end_to_end_id: row.end_to_end_id,
    txid: row.txid,
    payment_link: row.link && { name: row.link.name, description: row.link.description },
    message: details.message ?? null,
    infraction_ids: [...infractionIds],
    boleto_url: boletoOf(row),
    receipt_file_url: hasReceipt(row) ? receiptOf(row.id) : null,
    block:
      row.blocked_at && row.block_amount !== null
        ? {
            block_reason: row.block_reason,
            amount: row.block_amount,
            blocked_at: row.blocked_at.toISOString(),
            kept_at: details.block_kept_at ?? null,
            unblocked_at: instantOrNull(row.unblocked_at),
          }
        : null,
    details: {
      installments: details.installments ?? null,
      digitable_line: details.digitable_line ?? null,
      authorization_code: details.authorization_code ?? null,
      pix_key: details.pix_key ?? null,
      due_date: details.due_date ?? null,
      charge_id: row.charge_id,
      ...interestOf(details.late?.interest),
      ...fineOf(details.late?.fine),
      rejection_reason: details.rejection_reason ?? null,
    },
  };
}

export const refundOf = (row: RefundRow): PayinRefund => ({
  id: row.id,
  amount: row.amount,
  created_at: row.created_at.toISOString(),
  receipt_file_url: row.status === "succeeded" ? refundReceiptOf(row) : null,
  status: row.status,
  error: row.error,
});
