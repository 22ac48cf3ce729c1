import type { Infraction, InfractionRefundMovement } from "@malote/contracts/contestations";
import { instantOrNull } from "@malote/contracts/wire";
import { maskTaxId } from "@malote/domain/tax-id";
import type { RequestedAnswer } from "../controls/index.ts";
import type { MovementRow } from "./refund-store.ts";
import type { InfractionRow } from "./store.ts";

/** Returns the amount that accepting would still return: the company may have returned some of it already. */
export const returnableOf = ({ amount, payin_left: left }: Pick<InfractionRow, "amount" | "payin_left">) =>
  Math.min(amount, left ?? amount);

/** Converts a row to the wire format; masks a stranger's CPF (ruling D15). */
export function infractionOf(
  row: InfractionRow,
  { request, fileUrl }: { request: RequestedAnswer | undefined; fileUrl: (infractionId: string) => string },
): Infraction {
  return {
    id: row.id,
    transaction_id: row.transaction_id,
    txid: row.txid,
    infraction_date: row.infraction_date.toISOString(),
    analysis_due_date: row.analysis_due_at.toISOString(),
    analysis_status: row.analysis_status,
    contested_at: instantOrNull(row.contested_at),
    status: row.opinion,
    payer_name: row.payer_name,
    payer_tax_id: row.payer_tax_id && maskTaxId(row.payer_tax_id),
    amount: row.amount,
    payin_id: row.payin_id,
    returnable_amount: returnableOf(row),
    situation_type: row.situation_type,
    infraction_description: row.infraction_description,
    analysis_description: row.analysis_description,
    analysis_date: instantOrNull(row.analysed_at),
    files: row.file_name ? [{ name: row.file_name, signed_url: fileUrl(row.id) }] : [],
    user: row.analysed_by_name ? { name: row.analysed_by_name } : null,
    refund:
      row.refund_status && row.monitoring_ends_at
        ? {
            status: row.refund_status,
            refunded_amount: row.refunded_amount ?? 0,
            refund_date: instantOrNull(row.refund_date),
            monitoring_end_date: row.monitoring_ends_at.toISOString(),
          }
        : null,
    approval_request: request
      ? {
          requested_by: request.requested_by,
          requested_at: request.requested_at.toISOString(),
          infractions: request.infractions,
        }
      : null,
  };
}

export const movementOf = (row: MovementRow): InfractionRefundMovement => ({
  id: row.id,
  attempt_status: row.attempt_status,
  attempt_date: row.attempt_date.toISOString(),
  amount: row.amount,
  return_id: row.return_id,
});
