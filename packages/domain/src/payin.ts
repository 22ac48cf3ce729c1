/** Incoming money of a company: statuses and methods, refundable amounts, and card instalments. */
import { addDays, businessDayOnOrAfter, type CalendarDate } from "./calendar.ts";
import { type Cents, cents, splitEqually } from "./money.ts";
import type { Transitions } from "./transitions.ts";

/** Stored statuses (PAY-012, PAY-013). Screens show some of them under one name. */
export const payinStatuses = [
  "pending",
  "active",
  "authorized",
  "unauthorized",
  "received",
  "blocked",
  "refunding",
  "partially_refunded",
  "refunded",
  "rejected",
  "canceled",
  "canceled_by_user",
  "canceled_by_psp",
  "expired",
] as const;
export type PayinStatus = (typeof payinStatuses)[number];

const whatAChargeBecomes = [
  "authorized",
  "unauthorized",
  "received",
  "canceled",
  "canceled_by_user",
  "canceled_by_psp",
  "expired",
] as const satisfies readonly PayinStatus[];

/** Permitted transitions of a payin. */
export const payinTransitions = {
  pending: ["active", ...whatAChargeBecomes],
  // For a network that has an open status of its own; here a charge is pending until it ends (decision 0048).
  active: whatAChargeBecomes,
  // A card sale: its money arrives by instalments, and is refunded as a whole.
  authorized: ["received", "refunding"],
  // Arrived money is recorded, whatever the charge's status was before.
  unauthorized: ["received"],
  canceled: ["received"],
  canceled_by_user: ["received"],
  canceled_by_psp: ["received"],
  expired: ["received"],
  received: ["blocked", "refunding", "partially_refunded", "refunded"],
  // The block ends, the network decides to return the money, or it returns the money at once.
  blocked: ["rejected", "received", "refunding", "partially_refunded", "refunded"],
  rejected: ["received", "refunding", "partially_refunded", "refunded"],
  // The refund arrives or fails, or the rest is blocked meanwhile.
  refunding: ["authorized", "received", "blocked", "rejected", "partially_refunded", "refunded"],
  partially_refunded: ["blocked", "refunding", "refunded"],
  refunded: [],
} as const satisfies Transitions<PayinStatus>;

export function canMovePayin(from: PayinStatus, to: PayinStatus): boolean {
  return (payinTransitions as Transitions<PayinStatus>)[from].includes(to);
}

/** Methods by which a payin arrives (PAY-016). */
export const payinTypes = [
  "pix_key",
  "pix_static_qrcode",
  "pix_dynamic_qrcode",
  "boleto",
  "boleto_qrcode",
  "manual",
  "credit_card",
  "ted",
] as const;
export type PayinType = (typeof payinTypes)[number];

/**
 * `settlement`: card receivables of the company from another acquirer; every other category is a payment by a payer.
 */
export const payinCategories = ["payment", "settlement"] as const;
export type PayinCategory = (typeof payinCategories)[number];

/** Statuses that a filter includes where one shown status covers several (PAY-014). */
const alsoIncluded: Partial<Record<PayinStatus, readonly PayinStatus[]>> = {
  canceled: ["canceled_by_user", "canceled_by_psp"],
  refunded: ["partially_refunded"],
  // Screens show both as 'Processando'.
  refunding: ["rejected"],
};
export const statusesOfFilter = (chosen: readonly PayinStatus[]): PayinStatus[] => [
  ...new Set(chosen.flatMap((status) => [status, ...(alsoIncluded[status] ?? [])])),
];

/** Older payins are not shown (PAY-007). */
export const payinsVisibleFrom = "2024-01-01" as CalendarDate;

/** A receiver may return a Pix within 90 days of the settlement (Bacen's Pix rules). */
export const pixRefundDays = 90;
/** The usual limit of the card schemes. */
export const cardRefundDays = 180;
/** A payer has one day from the creation of the code (LNK-021). */
export const pixChargeHours = 24;
/** Res. BCB 1/2020, art. 39-B (PAY-024). */
export const precautionaryBlockHours = 72;

const pixTypes: readonly PayinType[] = [
  "pix_key",
  "pix_static_qrcode",
  "pix_dynamic_qrcode",
  "boleto_qrcode",
];
export const isPixPayin = (type: PayinType): boolean => pixTypes.includes(type);

export interface PayinFacts {
  status: PayinStatus;
  type: PayinType;
  amount: Cents;
  receivedAmount: Cents;
  refundedAmount: Cents;
  refundExpiresAt: Date | null;
  /** True while a precautionary block is in force. */
  isBlocked: boolean;
}

const withMoney: readonly PayinStatus[] = [
  "received",
  "blocked",
  "partially_refunded",
  "refunding",
  "authorized",
];

/** Returns the certain amount: a card's whole amount from its authorisation on, else the arrived amount. */
export const refundCeiling = ({ type, amount, receivedAmount }: PayinFacts): Cents =>
  type === "credit_card" ? amount : receivedAmount;

/** Returns the currently refundable amount. TED and boleto have no refund: an ordinary payment repays their payer. */
export function refundableAmount(payin: PayinFacts, now: Date): Cents {
  if (!isPixPayin(payin.type) && payin.type !== "credit_card") return cents(0);
  if (!withMoney.includes(payin.status)) return cents(0);
  if (payin.refundExpiresAt === null || payin.refundExpiresAt <= now) return cents(0);
  return cents(refundCeiling(payin) - payin.refundedAmount);
}

/** True when a partial refund is impossible (PAY-028). */
export const refundsOnlyInFull = ({ type, isBlocked }: Pick<PayinFacts, "type" | "isBlocked">): boolean =>
  type === "credit_card" || isBlocked;

export type RefundRefusal =
  | "payin_not_refundable"
  | "refund_window_over"
  | "refund_above_refundable"
  | "refund_only_in_full";

/** Returns the refusal of a refund; undefined when it is possible. */
export function refusalOfRefund(payin: PayinFacts, amount: Cents, now: Date): RefundRefusal | undefined {
  const refundable = refundableAmount(payin, now);
  if (refundable === 0) {
    const isOver = payin.refundExpiresAt !== null && payin.refundExpiresAt <= now;
    return isOver && withMoney.includes(payin.status) ? "refund_window_over" : "payin_not_refundable";
  }
  if (amount > refundable) return "refund_above_refundable";
  return refundsOnlyInFull(payin) && amount !== refundable ? "refund_only_in_full" : undefined;
}

export type PayinStatusWithMoney = Extract<
  PayinStatus,
  "authorized" | "received" | "blocked" | "rejected" | "refunding" | "partially_refunded" | "refunded"
>;

/** Returns the status of a payin after its money arrived, from its later events. */
export function statusAfterRefunds(facts: {
  isBlocked: boolean;
  /** True when the network decided to return the blocked money and has not done so yet. */
  isRejected: boolean;
  /** True until the last instalment of a card sale arrives. */
  isPromised: boolean;
  hasRefundOnItsWay: boolean;
  ceiling: Cents;
  refundedAmount: Cents;
}): PayinStatusWithMoney {
  if (facts.isBlocked) return facts.isRejected ? "rejected" : "blocked";
  if (facts.hasRefundOnItsWay) return "refunding";
  if (facts.refundedAmount > 0) {
    return facts.refundedAmount === facts.ceiling ? "refunded" : "partially_refunded";
  }
  return facts.isPromised ? "authorized" : "received";
}

export const cardInstallmentsMax = 24;
/** Days from one instalment to the next, and from the purchase to the first. */
const installmentDays = 30;

export interface CardInstallment {
  /** Counts from 1. */
  number: number;
  gross: Cents;
  fee: Cents;
  net: Cents;
  expectedOn: CalendarDate;
}

/**
 * Returns one receivable for each instalment: the acquirer's fee is rounded half up in each, and it pays on business
 * days only.
 */
export function cardInstallments(sale: {
  amount: Cents;
  installments: number;
  soldOn: CalendarDate;
  feeBasisPoints: number;
}): CardInstallment[] {
  return splitEqually(sale.amount, sale.installments).map((gross, index) => {
    const fee = cents(Math.floor((gross * sale.feeBasisPoints + 5_000) / 10_000));
    return {
      number: index + 1,
      gross,
      fee,
      net: cents(gross - fee),
      expectedOn: businessDayOnOrAfter(addDays(sale.soldOn, installmentDays * (index + 1))),
    };
  });
}

/** Returns the day after that many business days. */
export function businessDaysAfter(day: CalendarDate, count: number): CalendarDate {
  let on = day;
  for (let counted = 0; counted < count; counted++) on = businessDayOnOrAfter(addDays(on, 1));
  return on;
}
