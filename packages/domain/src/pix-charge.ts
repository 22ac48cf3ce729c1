/** Charge of a Pix code: a static code contains it, the payee's institution serves it for a dynamic one. */
import { type BrCodeProblem, readBrCodeOrProblem } from "./br-code.ts";
import { type CalendarDate, parseDate, startOfDay } from "./calendar.ts";
import type { Issue, IssueCode } from "./issues.ts";
import type { Cents } from "./money.ts";
import type { PixChargeStatus } from "./pix-charge-status.ts";
import { detectPixKeyType, normalisePixKey, type PixKeyType } from "./pix-key.ts";

export interface PixCharge {
  /** STATIC, IMMEDIATE_COLLECTION, DUE_DATE_COLLECTION, or an unknown type (TRF-004). */
  type: string;
  status: PixChargeStatus;
  key: string;
  receiver: { name: string | null; taxId: string | null };
  /** The amount to pay; null where the payer chooses. */
  amount: Cents | null;
  dueDate: CalendarDate | null;
  fine: Cents | null;
  interest: Cents | null;
  discount: Cents | null;
  abatement: Cents | null;
  txid: string | null;
  /** The moment from which it is no longer payable at this amount; null: no end. */
  until: string | null;
}

const problemCodes: Readonly<Record<BrCodeProblem, IssueCode>> = {
  not_a_code: "qr_invalid",
  check_sum: "qr_check_sum",
  currency: "qr_currency",
  country: "qr_country",
  not_pix: "qr_not_pix",
};

/** Returns the error of a text that is not a payable Pix code; undefined when it is one. */
export function pixCodeProblem(emv: string): IssueCode | undefined {
  const read = readBrCodeOrProblem(emv);
  return "problem" in read ? problemCodes[read.problem] : undefined;
}

/**
 * Returns the content of a static code; null for a dynamic one, whose content is at its location, and for any other
 * text.
 */
export function chargeOfStaticCode(emv: string): PixCharge | null {
  const read = readBrCodeOrProblem(emv);
  if ("problem" in read || read.code.key === null) return null;
  const { code } = read;
  return {
    type: "STATIC",
    status: "ACTIVE",
    key: read.code.key,
    receiver: { name: code.merchantName, taxId: null },
    amount: code.amountCents,
    dueDate: null,
    fine: null,
    interest: null,
    discount: null,
    abatement: null,
    txid: code.txid,
    until: null,
  };
}

/** Returns the location of a dynamic code's charge; null for any other text. */
export function locationOf(emv: string | null | undefined): string | null {
  const read = emv ? readBrCodeOrProblem(emv) : undefined;
  return read && "code" in read ? read.code.location : null;
}

/** Returns the key of a charge in the form and type in which payments store it. */
export function keyOfCharge({ key }: Pick<PixCharge, "key">): { type: PixKeyType; key: string } {
  return normalisePixKey({ type: detectPixKeyType(key) ?? "CHAVE_ALEATORIA", key });
}

/** Returns every reason why a code cannot be paid on a day, and the value to send. */
export function checkPixCode(
  given: { emv: string; charge: PixCharge | null; value: number | null; paymentDate: string | null },
  now: Date,
): Issue | undefined {
  const problem = pixCodeProblem(given.emv);
  if (problem) return { code: problem, field: "emv" };
  const { charge } = given;
  if (charge === null) return { code: "qr_unread", field: "emv" };
  if (charge.status === "PAID") return { code: "qr_paid", field: "emv" };
  if (charge.status === "REMOVED") return { code: "qr_removed", field: "emv" };
  const until = charge.until === null ? null : new Date(charge.until);
  if (until && until <= now) return { code: "qr_expired", field: "emv" };
  const day = given.paymentDate === null ? undefined : parseDate(given.paymentDate);
  if (until && day && until <= startOfDay(day)) return { code: "qr_expired_by_then", field: "payment_date" };
  if (charge.amount !== null && given.value !== charge.amount)
    return { code: "qr_value_fixed", field: "value", data: { value: charge.amount } };
  return undefined;
}
