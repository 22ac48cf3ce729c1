import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { cents } from "./money.ts";
import {
  businessDaysAfter,
  cardInstallments,
  type PayinFacts,
  refundableAmount,
  refundsOnlyInFull,
  refusalOfRefund,
  statusAfterRefunds,
  statusesOfFilter,
} from "./payin.ts";

const now = new Date("2026-11-10T13:00:00Z");
const payin = (changes: Partial<PayinFacts> = {}): PayinFacts => ({
  status: "received",
  type: "pix_key",
  amount: cents(100_00),
  receivedAmount: cents(100_00),
  refundedAmount: cents(0),
  refundExpiresAt: new Date("2026-11-10T13:00:01Z"),
  isBlocked: false,
  ...changes,
});

describe("refundable amount", () => {
  it.each<[what: string, changes: Partial<PayinFacts>, amount: number]>([
    ["all of a Pix", {}, 100_00],
    ["all of one by a static QR code", { type: "pix_static_qrcode" }, 100_00],
    ["all of one by a dynamic QR code", { type: "pix_dynamic_qrcode" }, 100_00],
    ["all of a Pix by the QR code of a boleto", { type: "boleto_qrcode" }, 100_00],
    ["the rest after a refund", { status: "partially_refunded", refundedAmount: cents(40_00) }, 60_00],
    ["the rest beside a pending refund", { status: "refunding", refundedAmount: cents(99_99) }, 1],
    ["nothing in the last moment", { refundExpiresAt: now }, 0],
    ["nothing without a last moment", { refundExpiresAt: null }, 0],
    [
      "nothing of a card sale in its last moment",
      { type: "credit_card", status: "authorized", receivedAmount: cents(0), refundExpiresAt: now },
      0,
    ],
    ["nothing of a TED", { type: "ted" }, 0],
    ["nothing of a payin that the network is returning", { status: "rejected", isBlocked: true }, 0],
    ["nothing of a boleto", { type: "boleto" }, 0],
    ["nothing of a pending payin", { status: "pending", receivedAmount: cents(0) }, 0],
    ["nothing of a refunded payin", { status: "refunded", refundedAmount: cents(100_00) }, 0],
    [
      "all of an authorised card sale",
      { type: "credit_card", status: "authorized", receivedAmount: cents(0) },
      100_00,
    ],
  ])("PAY-026 %s", (_what, changes, amount) => {
    expect(refundableAmount(payin(changes), now)).toBe(amount);
  });

  it.each<[amount: number, changes: Partial<PayinFacts>, refusal: string | undefined]>([
    [100_00, {}, undefined],
    [1, {}, undefined],
    [100_01, {}, "refund_above_refundable"],
    [1, { isBlocked: true }, "refund_only_in_full"],
    [1, { isBlocked: true, refundedAmount: cents(1_00) }, "refund_only_in_full"],
    [99_00, { isBlocked: true, refundedAmount: cents(1_00) }, undefined],
    [100_00, { isBlocked: true }, undefined],
    [1, { type: "credit_card" }, "refund_only_in_full"],
    [1, { refundExpiresAt: now }, "refund_window_over"],
    [1, { status: "canceled_by_user", refundExpiresAt: now }, "payin_not_refundable"],
    [1, { type: "ted" }, "payin_not_refundable"],
  ])("%i of %o: %s", (amount, changes, refusal) => {
    expect(refusalOfRefund(payin(changes), cents(amount), now)).toBe(refusal);
  });

  it("PAY-028 cards and blocked payins are refunded whole", () => {
    expect(refundsOnlyInFull({ type: "credit_card", isBlocked: false })).toBe(true);
    expect(refundsOnlyInFull({ type: "pix_key", isBlocked: true })).toBe(true);
    expect(refundsOnlyInFull({ type: "pix_key", isBlocked: false })).toBe(false);
  });
});

it.each([
  [{}, "received"],
  [{ isBlocked: true }, "blocked"],
  [{ isBlocked: true, isRejected: true }, "rejected"],
  [{ isRejected: true }, "received"],
  [{ isRejected: true, refundedAmount: cents(100) }, "refunded"],
  [{ isPromised: true }, "authorized"],
  [{ refundedAmount: cents(1) }, "partially_refunded"],
  [{ refundedAmount: cents(1), isBlocked: true }, "blocked"],
  [{ refundedAmount: cents(1), isBlocked: true, hasRefundOnItsWay: true }, "blocked"],
  [{ refundedAmount: cents(100) }, "refunded"],
  [{ refundedAmount: cents(100), hasRefundOnItsWay: true }, "refunding"],
])("after %o a payin is %s", (changes, status) => {
  const nothing = { isBlocked: false, isRejected: false, isPromised: false, hasRefundOnItsWay: false };
  const amounts = { ceiling: cents(100), refundedAmount: cents(0) };
  expect(statusAfterRefunds({ ...nothing, ...amounts, ...changes })).toBe(status);
});

it("PAY-014 a filter for canceled or refunded includes their variants", () => {
  expect(statusesOfFilter(["canceled", "received"])).toEqual([
    "canceled",
    "canceled_by_user",
    "canceled_by_psp",
    "received",
  ]);
  expect(statusesOfFilter(["refunded"])).toEqual(["refunded", "partially_refunded"]);
  expect(statusesOfFilter(["refunded", "partially_refunded"])).toEqual(["refunded", "partially_refunded"]);
  expect(statusesOfFilter(["refunding"])).toEqual(["refunding", "rejected"]);
});

describe("card sales", () => {
  const sale = (amount: number, installments: number, feeBasisPoints: number) =>
    cardInstallments({
      amount: cents(amount),
      installments,
      soldOn: "2026-11-13" as CalendarDate,
      feeBasisPoints,
    });

  it("are split to the centavo, each with its fee rounded half up, and add up", () => {
    for (const [amount, installments, fee] of [
      [100_00, 3, 399],
      [1, 1, 5_000],
      [24, 24, 399],
      [999_99, 7, 250],
    ] as const) {
      const parts = sale(amount, installments, fee);
      expect(parts.reduce((sum, { gross }) => sum + gross, 0)).toBe(amount);
      for (const { gross, fee: kept, net } of parts) {
        expect(kept).toBe(Math.round((gross * fee) / 10_000));
        expect(net).toBe(gross - kept);
      }
    }
  });

  it("arrive every 30 days, on the bank's days", () => {
    // 13 December 2026 is a Sunday, 12 January a Tuesday.
    expect(sale(100_00, 2, 0).map(({ expectedOn }) => expectedOn)).toEqual(["2026-12-14", "2027-01-12"]);
  });
});

it("count business days over weekends and holidays", () => {
  const thursday = "2026-11-19" as CalendarDate;
  expect(businessDaysAfter(thursday, 0)).toBe(thursday);
  expect(businessDaysAfter(thursday, 1)).toBe("2026-11-23");
  expect(businessDaysAfter(thursday, 3)).toBe("2026-11-25");
});
