import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import {
  closingOf,
  invoiceDueDate,
  invoiceStatus,
  isLate,
  monthAfter,
  monthBefore,
  monthOf,
  monthStillOpen,
  refusalOfProtest,
} from "./invoice.ts";

const day = (text: string) => text as CalendarDate;

describe("months", () => {
  it.each([
    ["2026-01-31", "2026-01-01", "2026-02-01", "2025-12-01"],
    ["2026-02-01", "2026-02-01", "2026-03-01", "2026-01-01"],
    ["2026-12-15", "2026-12-01", "2027-01-01", "2026-11-01"],
    ["2028-02-29", "2028-02-01", "2028-03-01", "2028-01-01"],
  ])("%s starts on %s, before %s and after %s", (text, own, after, before) => {
    expect([monthOf(day(text)), monthAfter(day(text)), monthBefore(day(text))]).toEqual([own, after, before]);
  });

  it.each([
    ["2026-09-01T02:59:59Z", "2026-08-01"],
    ["2026-09-01T08:59:59Z", "2026-08-01"],
    ["2026-09-01T09:00:00Z", "2026-09-01"],
  ])("at %s the month of %s is still open", (now, month) => {
    expect(monthStillOpen(new Date(now))).toBe(month);
  });

  it("are counted at six in the morning of the first day after them", () => {
    expect(closingOf(day("2026-08-01")).toISOString()).toBe("2026-09-01T09:00:00.000Z");
  });
});

describe("invoices", () => {
  it.each([
    // 10 September 2026 is a Thursday, 10 October a Saturday before the holiday of the 12th.
    ["2026-08-01", "2026-09-10"],
    ["2026-09-01", "2026-10-13"],
    ["2026-12-01", "2027-01-11"],
  ])("for %s are due on %s, a day on which a boleto can be paid", (month, due) => {
    expect(invoiceDueDate(day(month))).toBe(due);
  });

  const facts = { dueDate: day("2026-09-10"), isPaid: false, isProtested: false };
  it.each([
    ["2026-09-09", {}, "open"],
    ["2026-09-10", {}, "open"],
    ["2026-09-11", {}, "overdue"],
    ["2026-09-11", { isProtested: true }, "protested"],
    ["2026-09-09", { isPaid: true }, "paid"],
    ["2026-09-11", { isPaid: true, isProtested: true }, "paid"],
  ])("COM-028 on %s with %o are %s", (today, given, status) => {
    expect(invoiceStatus({ ...facts, ...given }, day(today))).toBe(status);
  });

  it("COM-028 are late when overdue or protested", () => {
    expect((["open", "paid", "overdue", "protested"] as const).map(isLate)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("are protested only when late", () => {
    expect((["open", "paid", "overdue", "protested"] as const).map(refusalOfProtest)).toEqual([
      "invoice_not_overdue",
      "invoice_paid",
      undefined,
      undefined,
    ]);
  });
});
