import { describe, expect, it } from "vitest";
import {
  type BoletoDraft,
  type BoletoFacts,
  boletoMoment,
  boletoRunDay,
  boletoStatusOf,
  canCancelBoleto,
  checkBoleto,
  lastPayDay,
  normaliseBoleto,
  type Register,
} from "./boleto.ts";
import { bankBarcode, boletoLine, readBoletoCode } from "./boleto-code.ts";
import type { CalendarDate } from "./calendar.ts";
import { cents } from "./money.ts";
import { paymentStatuses } from "./payment-status.ts";
import type { RegisteredBoleto } from "./registered-boleto.ts";

const day = (text: string) => text as CalendarDate;
/** A Wednesday. */
const today = day("2026-11-18");
const facts: BoletoFacts = { today, now: "10:00:00", maxCents: cents(10_000_00), isDuplicated: false };
const boleto = (dueDate: string | null, value: number | null = 100_00) =>
  bankBarcode({
    bankCode: "341",
    dueDate: dueDate as CalendarDate | null,
    value: value === null ? null : cents(value),
    freeField: "1091234567890057123457000",
  });
const waterBill = "82620000001234512341234567890123456789012345";

const draft = (changes: Partial<BoletoDraft> = {}): BoletoDraft => ({
  barcode: boleto("2026-11-30"),
  value: 100_00,
  paymentDate: null,
  description: "Aluguel de novembro",
  integrationId: null,
  ...changes,
});
const complaints = (changes: Partial<BoletoDraft>, of: Partial<BoletoFacts> = {}) => {
  const { errors, warnings } = checkBoleto(draft(changes), { ...facts, ...of });
  return [...errors, ...warnings].map(({ field, code }) => `${field} ${code}`);
};

/** The register's answer about a boleto of R$ 100,00, due on 10 November unless given otherwise. */
const register = (
  outcome: Register["outcome"],
  limitDate: string | null,
  changes: Partial<RegisteredBoleto> = {},
): Register => ({
  outcome,
  boleto: {
    beneficiary: { name: "Imobiliária Sol", taxId: "11222333000181" },
    value: cents(100_00),
    dueDate: day("2026-11-10"),
    limitDate: limitDate as CalendarDate | null,
    fineBasisPoints: 0,
    interestBasisPoints: 0,
    discount: null,
    abatement: cents(0),
    ...changes,
  },
});

describe("the stored form of a boleto", () => {
  it("BIL-016 BIL-017 holds the barcode of the typed line, with its own value", () => {
    const given = draft({ barcode: boletoLine(boleto("2026-11-30")), value: 1, description: "  Luz " });
    expect(normaliseBoleto(given, today)).toEqual(draft({ description: "Luz" }));
  });

  it("BIL-016 holds the typed value when the code has none", () => {
    expect(normaliseBoleto(draft({ barcode: boleto(null, null), value: 55_00 }), today).value).toBe(55_00);
  });

  it.each<[string, number | null, number, number]>([
    ["the register's amount, where the code has another", 80_00, 100_00, 100_00],
    ["the register's amount, where the code has none", null, 100_00, 100_00],
    ["the typed value, where the register has none either", null, 0, 55_00],
  ])("BIL-016 holds %s", (_what, ofCode, registered, expected) => {
    const asked = register("payable", null, { value: cents(registered), dueDate: day("2026-11-30") });
    const given = draft({ barcode: boleto("2026-11-30", ofCode), value: 55_00 });
    const moment = { today, now: "10:00:00", register: asked };
    expect(normaliseBoleto(given, today, moment).value).toBe(expected);
  });

  it("holds the typed text if it is not a code", () => {
    expect(normaliseBoleto(draft({ barcode: " 3419 12 " }), today).barcode).toBe("3419 12");
  });
});

describe("problems of a boleto", () => {
  it.each<[string, Partial<BoletoDraft>, Partial<BoletoFacts>, string[]]>([
    ["nothing, due on a later day", {}, {}, []],
    ["nothing, on the day it is due", { barcode: boleto("2026-11-18") }, {}, []],
    [
      "BIL-011 a code with a wrong digit",
      { barcode: boletoLine(boleto("2026-11-30")).replace(/.$/, (last) => String((Number(last) + 1) % 10)) },
      {},
      ["barcode billet_code_invalid"],
    ],
    ["BIL-010 no code", { barcode: null }, {}, ["barcode billet_code_invalid"]],
    ["BIL-013 one that was registered before", {}, { isDuplicated: true }, ["barcode billet_duplicated"]],
    ["BIL-014 more than the limit", { value: 10_000_01 }, {}, ["value value_above_max"]],
    ["BIL-014 nothing, of the limit itself", { value: 10_000_00 }, {}, []],
    ["BIL-016 no value", { value: null }, {}, ["value value_invalid"]],
    ["BIL-016 a value of nothing", { value: 0 }, {}, ["value value_invalid"]],
    ["BIL-015 no description", { description: null }, {}, ["description billet_description_missing"]],
    [
      "a description that is too long",
      { description: "x".repeat(256) },
      {},
      ["description billet_description_too_long"],
    ],
    [
      "an integration id that is too long",
      { integrationId: "x".repeat(256) },
      {},
      ["integration_id integration_id_too_long"],
    ],
    [
      "BIL-018 a day that has passed",
      { paymentDate: "2026-11-17" },
      {},
      ["payment_date payment_date_expired"],
    ],
    ["BIL-018 nothing, for today", { paymentDate: "2026-11-18" }, {}, []],
    ["BIL-018 nothing, for the due date", { paymentDate: "2026-11-30" }, {}, []],
    [
      "BIL-018 a day after the due date",
      { paymentDate: "2026-12-01" },
      {},
      ["payment_date billet_paid_after_due"],
    ],
    ["BIL-018 nothing, a year ahead", { barcode: boleto(null), paymentDate: "2027-11-18" }, {}, []],
    [
      "BIL-018 a day more than a year ahead",
      { barcode: boleto(null), paymentDate: "2027-11-19" },
      {},
      ["payment_date payment_date_too_far"],
    ],
    ["BIL-018 text that is no day", { paymentDate: "amanhã" }, {}, ["payment_date payment_date_invalid"]],
    ["BIL-012 one that was due yesterday", { barcode: boleto("2026-11-17") }, {}, ["barcode billet_overdue"]],
    [
      "BIL-012 one due today, after the last hour",
      { barcode: boleto("2026-11-18") },
      { now: "22:00:01" },
      ["barcode billet_overdue"],
    ],
    [
      "BIL-012 nothing, due today, at the last second",
      { barcode: boleto("2026-11-18") },
      { now: "22:00:00" },
      [],
    ],
    // 2026-11-20 is a holiday, a Friday.
    [
      "BIL-018 nothing, due on a holiday and paid on the Monday behind it",
      { barcode: boleto("2026-11-20"), paymentDate: "2026-11-23" },
      {},
      [],
    ],
    [
      "BIL-012 BIL-018 a warning alone, due on a holiday and typed on the Saturday behind it",
      { barcode: boleto("2026-11-20") },
      { today: day("2026-11-21") },
      ["payment_date billet_next_business_day"],
    ],
    [
      "BIL-012 BIL-018 one due on a holiday, on the Monday behind it after the last hour",
      { barcode: boleto("2026-11-20") },
      { today: day("2026-11-23"), now: "22:00:01" },
      ["barcode billet_overdue"],
    ],
    [
      "BIL-018 a warning for a day without settlement",
      { paymentDate: "2026-11-20" },
      {},
      ["payment_date billet_next_business_day"],
    ],
    [
      "BIL-018 a warning after the last hour",
      {},
      { now: "22:30:00" },
      ["payment_date billet_next_business_day"],
    ],
    [
      "a warning for a utility's bill in the evening",
      { barcode: waterBill, value: 123_45 },
      { now: "17:00:01" },
      ["payment_date billet_next_business_day"],
    ],
  ])("%s", (_what, changes, of, expected) => {
    expect(complaints(changes, of)).toEqual(expected);
  });
});

describe("BIL-018 last day to choose", () => {
  it.each<[string, string | null, Register | undefined, string | null]>([
    ["absent without a due date", null, undefined, null],
    ["the due date", "2026-11-30", undefined, "2026-11-30"],
    ["the business day after a due date on a holiday", "2026-11-20", undefined, "2026-11-23"],
    ["the register's once it is overdue", "2026-11-10", register("payable", "2026-12-30"), "2026-12-30"],
    ["absent when the register accepts it without limit", "2026-11-10", register("payable", null), null],
    [
      "absent for a boleto that is no longer accepted",
      "2026-11-10",
      register("unpayable", "2026-11-12"),
      null,
    ],
  ])("is %s", (_what, due, register, expected) => {
    expect(lastPayDay(due as CalendarDate | null, { today, register })).toBe(expected);
  });

  it("is within a year also for a boleto accepted late without limit", () => {
    const barcode = boleto("2026-11-10");
    const on = (paymentDate: string) =>
      complaints({ barcode, paymentDate }, { register: register("payable", null) });
    expect(on("2027-11-19")).toEqual(["payment_date payment_date_too_far"]);
    expect(on("2027-11-18")).not.toContain("payment_date payment_date_too_far");
    expect(on("2026-11-18")).toEqual(["barcode billet_overdue_charged"]);
    expect(on("2026-11-17")).toEqual(["payment_date payment_date_expired"]);
  });

  it("BIL-018 ends with the register's last day for an overdue boleto", () => {
    const on = (paymentDate: string) =>
      complaints(
        { barcode: boleto("2026-11-10"), paymentDate },
        { register: register("payable", "2026-12-29") },
      );
    expect(on("2026-12-29")).toEqual(["barcode billet_overdue_charged"]);
    expect(on("2026-12-30")).toEqual(["payment_date billet_paid_after_due"]);
  });

  it.each([
    ["paid", "billet_register_paid"],
    ["unpayable", "billet_register_unpayable"],
    ["not_registered", "billet_register_unknown"],
  ] as const)("BIL-012 does not help an overdue boleto that is %s there, without limit", (outcome, code) => {
    expect(complaints({ barcode: boleto("2026-11-10") }, { register: register(outcome, null) })).toEqual([
      "barcode billet_overdue",
      `barcode ${code}`,
    ]);
  });

  it("BIL-012 BIL-018 warns alone of a due date on a holiday, which moves to the next business day", () => {
    const asked = register("payable", null, { dueDate: day("2026-11-20") });
    const saturday = { today: day("2026-11-21"), register: asked };
    expect(complaints({ barcode: boleto("2026-11-20") }, saturday)).toEqual([
      "barcode billet_overdue_free",
      "payment_date billet_next_business_day",
    ]);
  });

  it.each<[string, string, string | null, boolean]>([
    ["none until the cut-off of its day", "22:00:00", null, false],
    ["the next business day after the cut-off", "22:00:01", null, true],
    ["the Monday after a day without settlement", "10:00:00", "2026-11-21", true],
  ])("BIL-012 BIL-018 names for an overdue boleto another day: %s", (_what, now, paymentDate, isNamed) => {
    const asked = { register: register("payable", null), now };
    expect(complaints({ barcode: boleto("2026-11-10"), paymentDate }, asked)).toEqual([
      "barcode billet_overdue_charged",
      ...(isNamed ? ["payment_date billet_next_business_day"] : []),
    ]);
  });
});

describe("payment day", () => {
  const at = (now: string) => ({ today, now });
  it.each<[string, string | null, boolean, string, string]>([
    ["today", null, false, "22:00:00", "2026-11-18"],
    ["tomorrow after the cut-off", null, false, "22:00:01", "2026-11-19"],
    ["today, closing early", null, true, "17:00:00", "2026-11-18"],
    ["tomorrow, closing early", null, true, "17:00:01", "2026-11-19"],
    ["a later day at any hour", "2026-11-19", true, "23:00:00", "2026-11-19"],
    ["the Monday after a holiday and a weekend", "2026-11-20", false, "09:00:00", "2026-11-23"],
    ["today when the requested day has passed", "2026-11-02", false, "09:00:00", "2026-11-18"],
  ])("is %s", (_what, wanted, isEarly, now, expected) => {
    expect(boletoRunDay(wanted as CalendarDate | null, isEarly, at(now))).toBe(expected);
  });

  it("begins at seven, or immediately later in the day", () => {
    const noon = new Date("2026-11-18T15:00:00Z");
    expect(boletoMoment(null, false, noon)).toEqual(noon);
    expect(boletoMoment(day("2026-11-20"), false, noon).toISOString()).toBe("2026-11-23T10:00:00.000Z");
    expect(boletoMoment(null, false, new Date("2026-11-18T08:00:00Z")).toISOString()).toBe(
      "2026-11-18T10:00:00.000Z",
    );
  });

  it("BIL-028 allows cancelling until the end of the day before", () => {
    expect(canCancelBoleto("SCHEDULED", day("2026-11-19"), today)).toBe(true);
    expect(canCancelBoleto("SCHEDULED", today, today)).toBe(false);
    for (const status of ["CREATED", "EXECUTING", "PAID", "FINISHED", "FAILED", "RETURNED"] as const)
      expect(canCancelBoleto(status, day("2026-12-01"), today)).toBe(false);
  });
});

it("BIL-004 maps each status of a payment to a status of its own", () => {
  expect(paymentStatuses.map(boletoStatusOf)).toEqual([
    "CREATED",
    "EXECUTING",
    "SCHEDULED",
    "EXECUTING",
    "EM_REMESSA",
    "PAID",
    "FINISHED",
    "FAILED",
    "FAILED_INTERNAL",
    "RETURNED",
    "RETURNED",
    "RETURNED",
  ]);
});

describe("issued barcodes", () => {
  it.each(["2025-02-21", "2025-02-22", "2026-11-30", "2030-06-28", null])(
    "due %s are read as intended",
    (due) => {
      const barcode = boleto(due, 1_234_56);
      expect(readBoletoCode(barcode, today)).toMatchObject({ barcode, dueDate: due, value: 1_234_56 });
      expect(readBoletoCode(boletoLine(barcode), today)?.barcode).toBe(barcode);
    },
  );

  it("are refused with a free field of another length", () => {
    expect(() => bankBarcode({ bankCode: "341", dueDate: null, value: null, freeField: "1" })).toThrow();
  });
});
