/** Converts a row to the wire format. */
import type { PaymentLink } from "@malote/contracts/payment-links";
import { saoPauloDate } from "@malote/domain/calendar";
import { type FineType, type InterestType, isFixed, percentOf, type Rate } from "@malote/domain/late-charges";
import { endOfLink, type LinkStatus, linkStatus } from "@malote/domain/payment-link";
import type { LinkRow } from "../payins/index.ts";

/** Returns the address of a link's checkout. `address` is the host of the company's brand (decision 0021). */
export const addressOf = (address: string, { token }: Pick<LinkRow, "token">): string =>
  `${address}/pagar/${token}`;

export const statusAt = (row: LinkRow, now: Date): LinkStatus =>
  linkStatus({ isPaid: row.is_paid, expiresOn: row.expires_on }, saoPauloDate(now));

export function linkOf(row: LinkRow, address: string, now: Date): PaymentLink {
  return {
    id: row.id,
    name: row.name,
    amount: row.amount,
    description: row.description,
    expires_at: endOfLink(row.expires_on).toISOString(),
    created_at: row.created_at.toISOString(),
    status: statusAt(row, now),
    payment_methods: row.payment_methods,
    payment_method_details: detailsOf(row),
    link: addressOf(address, row),
    payin_id: row.payin_id,
  };
}

const rateOnWire = <Type extends InterestType | FineType>({ type, value }: Rate<Type>) =>
  isFixed(type) ? { type, amount: value } : { type, percent: percentOf(value) };

/** Returns the details that the link's methods need; none for Pix alone. */
export function detailsOf({
  boleto_due_days,
  late_terms: late,
  max_installments,
}: Pick<
  LinkRow,
  "boleto_due_days" | "late_terms" | "max_installments"
>): PaymentLink["payment_method_details"] {
  if (boleto_due_days === null && max_installments === null) return null;
  return {
    ...(boleto_due_days !== null && {
      boleto: {
        due_days: boleto_due_days,
        ...(late?.interest && { interest: rateOnWire(late.interest) }),
        ...(late?.fine && { fine: rateOnWire(late.fine) }),
      },
    }),
    ...(max_installments !== null && { credit_card: { max_installments } }),
  };
}
