/** A payin as the wire tells it. */
import type { Payin, PayinRefund } from "@malote/contracts/payins";
import { refundableAmount } from "@malote/domain/payin";
import { maskTaxId } from "@malote/domain/tax-id";
import { factsOf, type PayinRow, type RefundRow } from "./store.ts";

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function payinOf(row: PayinRow, now: Date): Payin {
  const { details } = row;
  return {
    id: row.id,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    received_at: iso(row.received_at),
    refund_expires_at: iso(row.refund_expires_at),
    expires_at: iso(row.expires_at),
    amount: row.amount,
    original_amount: row.original_amount,
    received_amount: row.received_amount,
    refunded_amount: row.refunded_amount,
    refundable_amount: refundableAmount(factsOf(row), now),
    rejected_at: iso(row.rejected_at),
    payer: { name: row.payer_name, tax_id: row.payer_tax_id && maskTaxId(row.payer_tax_id) },
    payment_type: row.payment_type,
    category: row.category,
    payment_link_id: row.payment_link_id,
    end_to_end_id: row.end_to_end_id,
    receipt_file_url: null,
    block:
      row.blocked_at && row.block_amount !== null
        ? {
            block_reason: row.block_reason,
            amount: row.block_amount,
            blocked_at: row.blocked_at.toISOString(),
            unblocked_at: iso(row.unblocked_at),
          }
        : null,
    details: {
      installments: details.installments ?? null,
      digitable_line: details.digitable_line ?? null,
      authorization_code: details.authorization_code ?? null,
      pix_key: details.pix_key ?? null,
      due_date: details.due_date ?? null,
      charge_id: row.charge_id,
      // The charges made here know neither interest nor a fine.
      interest_type: null,
      interest_amount: null,
      interest_percent: null,
      fine_type: null,
      fine_amount: null,
      fine_percent: null,
      rejection_reason: details.rejection_reason ?? null,
    },
  };
}

export const refundOf = (row: RefundRow): PayinRefund => ({
  id: row.id,
  amount: row.amount,
  created_at: row.created_at.toISOString(),
  receipt_file_url: null,
  status: row.status,
  error: row.error,
});
