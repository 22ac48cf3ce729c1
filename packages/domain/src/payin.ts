/** What a company receives: its statuses and methods, what may be given back of it, and what a card brings. */
import { addDays, businessDayOnOrAfter, type CalendarDate } from "./calendar.ts";
import { type Cents, cents, splitEqually } from "./money.ts";
import type { Transitions } from "./transitions.ts";

/** PAY-012, PAY-013: as stored. Some are shown under one name. */
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

/** Every step a payin may take. */
export const payinTransitions = {
  pending: ["active", ...whatAChargeBecomes],
  // Open, for a network that has this status itself; here a charge is pending until it ends (decision 0048).
  active: whatAChargeBecomes,
  // A card sale: its money arrives by instalments, and goes back whole.
  authorized: ["received", "refunding"],
  // Money that arrived is recorded, whatever the charge's status was before.
  unauthorized: ["received"],
  canceled: ["received"],
  canceled_by_user: ["received"],
  canceled_by_psp: ["received"],
  expired: ["received"],
  received: ["blocked", "refunding", "partially_refunded", "refunded"],
  // The block ends, the network decides to send the money back, or it goes back at once.
  blocked: ["rejected", "received", "refunding", "partially_refunded", "refunded"],
  rejected: ["received", "refunding", "partially_refunded", "refunded"],
  // The refund arrives or fails, or what is left is blocked meanwhile.
  refunding: ["authorized", "received", "blocked", "rejected", "partially_refunded", "refunded"],
  partially_refunded: ["blocked", "refunding", "refunded"],
  refunded: [],
} as const satisfies Transitions<PayinStatus>;

export function canMovePayin(from: PayinStatus, to: PayinStatus): boolean {
  return (payinTransitions as Transitions<PayinStatus>)[from].includes(to);
}

/** PAY-016: every way in which a payin comes. */
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
 * `settlement` brings the company's card receivables from another acquirer; every other category is a payment by a
 * payer.
 */
export const payinCategories = ["payment", "settlement"] as const;
export type PayinCategory = (typeof payinCategories)[number];

/** PAY-014: the statuses a filter includes when one shown status stands for several. */
const alsoIncluded: Partial<Record<PayinStatus, readonly PayinStatus[]>> = {
  canceled: ["canceled_by_user", "canceled_by_psp"],
  refunded: ["partially_refunded"],
  // Both read 'Processando'.
  refunding: ["rejected"],
};
export const statusesOfFilter = (chosen: readonly PayinStatus[]): PayinStatus[] => [
  ...new Set(chosen.flatMap((status) => [status, ...(alsoIncluded[status] ?? [])])),
];

/** PAY-007: what came before is not shown. */
export const payinsVisibleFrom = "2024-01-01" as CalendarDate;

/** Bacen's Pix rules: a receiver may give back within 90 days of the settlement. */
export const pixRefundDays = 90;
/** The card schemes' usual reach. */
export const cardRefundDays = 180;
/** LNK-021: a payer has one day from the code on. */
export const pixChargeHours = 24;
/** PAY-024: Res. BCB 1/2020, art. 39-B. */
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
  /** A precautionary block began and has not ended. */
  isBlocked: boolean;
}

const withMoney: readonly PayinStatus[] = [
  "received",
  "blocked",
  "partially_refunded",
  "refunding",
  "authorized",
];

/** What is promised for certain: a card's whole amount from its authorisation on, else what arrived. */
export const refundCeiling = ({ type, amount, receivedAmount }: PayinFacts): Cents =>
  type === "credit_card" ? amount : receivedAmount;

/** How much can be given back now. TED and boleto have no refund: their payer is paid by an ordinary payment. */
export function refundableAmount(payin: PayinFacts, now: Date): Cents {
  if (!isPixPayin(payin.type) && payin.type !== "credit_card") return cents(0);
  if (!withMoney.includes(payin.status)) return cents(0);
  if (payin.refundExpiresAt === null || payin.refundExpiresAt <= now) return cents(0);
  return cents(refundCeiling(payin) - payin.refundedAmount);
}

/** PAY-028: no part of these can be refunded. */
export const refundsOnlyInFull = ({ type, isBlocked }: Pick<PayinFacts, "type" | "isBlocked">): boolean =>
  type === "credit_card" || isBlocked;

export type RefundRefusal =
  | "payin_not_refundable"
  | "refund_window_over"
  | "refund_above_refundable"
  | "refund_only_in_full";

/** Undefined: it may be given back. */
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

/** The status of a payin whose money arrived, from what happened to it since. */
export function statusAfterRefunds(facts: {
  isBlocked: boolean;
  /** The network decided to send what is blocked back, and has not yet. */
  isRejected: boolean;
  /** A card's money is promised until the last instalment came. */
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
  /** From 1. */
  number: number;
  gross: Cents;
  fee: Cents;
  net: Cents;
  expectedOn: CalendarDate;
}

/** One receivable for each instalment: the acquirer's fee is rounded half up in each, and it pays on business days only. */
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

/** The day so many business days after another. */
export function businessDaysAfter(day: CalendarDate, count: number): CalendarDate {
  let on = day;
  for (let counted = 0; counted < count; counted++) on = businessDayOnOrAfter(addDays(on, 1));
  return on;
}
