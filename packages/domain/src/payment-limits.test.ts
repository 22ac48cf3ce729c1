import { describe, expect, it } from "vitest";
import { type Cents, cents } from "./money.ts";
import {
  currentWindow,
  decideLimitChange,
  defaultInstallationLimits,
  defaultLimits,
  hasLimit,
  limitPeriods,
  limitsOf,
  type paymentMethods,
  renewsAt,
  shortageOf,
  shortageTexts,
  windowAt,
  windowEnds,
  windowOf,
} from "./payment-limits.ts";

/** Returns the instant of a local time in São Paulo, which has been UTC-3 all year from 2019 on. */
const at = (text: string) => new Date(`${text}-03:00`);
const said = ({ period, day }: { period: string; day: string }) => `${period} ${day}`;

describe("period of an instant", () => {
  // 12 August 2026 is a Wednesday; 7 September 2026, a Monday, is a holiday.
  it.each([
    ["2026-08-12T06:00:00", "DAILY 2026-08-12"],
    ["2026-08-12T19:59:59.999", "DAILY 2026-08-12"],
    ["2026-09-07T10:00:00", "DAILY 2026-09-07"],
    ["2026-12-25T10:00:00", "DAILY 2026-12-25"],
  ])("COM-036 %s is %s", (instant, window) => expect(said(windowAt(at(instant)))).toBe(window));

  it.each([
    ["2026-08-12T20:00:00", "NIGHTLY 2026-08-12"],
    ["2026-08-13T00:00:00", "NIGHTLY 2026-08-12"],
    ["2026-08-13T05:59:59.999", "NIGHTLY 2026-08-12"],
    ["2026-08-14T23:00:00", "NIGHTLY 2026-08-14"],
    ["2026-08-15T03:00:00", "NIGHTLY 2026-08-14"],
    ["2026-08-15T05:59:59.999", "NIGHTLY 2026-08-14"],
    ["2026-08-15T20:00:00", "NIGHTLY 2026-08-15"],
    ["2026-08-16T05:59:59.999", "NIGHTLY 2026-08-15"],
    ["2026-08-16T20:00:00", "NIGHTLY 2026-08-16"],
    ["2026-08-17T05:00:00", "NIGHTLY 2026-08-16"],
    ["2026-03-01T01:00:00", "NIGHTLY 2026-02-28"],
    ["2027-01-01T01:00:00", "NIGHTLY 2026-12-31"],
  ])("COM-037 %s is %s, on any day", (instant, window) => expect(said(windowAt(at(instant)))).toBe(window));

  it.each([
    ["2026-08-15T06:00:00", "WEEKEND 2026-08-15"],
    ["2026-08-15T19:59:59.999", "WEEKEND 2026-08-15"],
    ["2026-08-16T06:00:00", "WEEKEND 2026-08-15"],
    ["2026-08-16T19:59:59.999", "WEEKEND 2026-08-15"],
    // A holiday on a Sunday stays a weekend.
    ["2026-11-15T10:00:00", "WEEKEND 2026-11-14"],
  ])("COM-038 %s is %s", (instant, window) => expect(said(windowAt(at(instant)))).toBe(window));

  it("COM-037 uses the local clock of former summer times, too", () => {
    // In January 2019 São Paulo was two hours behind.
    expect(said(windowAt(new Date("2019-01-10T08:00:00Z")))).toBe("DAILY 2019-01-10");
    expect(said(windowAt(new Date("2019-01-10T07:59:59Z")))).toBe("NIGHTLY 2019-01-09");
    expect(said(windowAt(new Date("2019-01-10T22:00:00Z")))).toBe("NIGHTLY 2019-01-10");
  });
});

describe("period in which a payment counts", () => {
  it.each([
    // At once: the period of the request.
    ["2026-08-12T10:00:00", "2026-08-12T10:00:00", "DAILY 2026-08-12"],
    ["2026-08-12T23:00:00", "2026-08-12T23:00:00", "NIGHTLY 2026-08-12"],
    // For a later day: that day's daytime, though it leaves at its first instant.
    ["2026-08-14T00:00:00", "2026-08-12T10:00:00", "DAILY 2026-08-14"],
    ["2026-08-15T00:00:00", "2026-08-12T10:00:00", "WEEKEND 2026-08-15"],
    ["2026-08-16T00:00:00", "2026-08-12T10:00:00", "WEEKEND 2026-08-15"],
    ["2026-08-13T00:00:00", "2026-08-12T19:59:00", "DAILY 2026-08-13"],
    // Requested in a night that still lasts at that instant: midnight does not end the night's limit.
    ["2026-08-13T00:00:00", "2026-08-12T23:59:00", "NIGHTLY 2026-08-12"],
    ["2026-08-14T00:00:00", "2026-08-12T23:59:00", "DAILY 2026-08-14"],
    // Requested before six, leaving after it.
    ["2026-08-12T06:30:00", "2026-08-12T03:00:00", "DAILY 2026-08-12"],
  ])("sent at %s, requested at %s, is %s", (leavesAt, now, window) =>
    expect(said(windowOf("PIX", at(leavesAt), at(now)))).toBe(window),
  );
});

describe("TED and boletos, which have no limit of the night (COM-039)", () => {
  it.each([
    ["BILLET", "2026-08-12T19:59:59", "DAILY 2026-08-12"],
    ["BILLET", "2026-08-12T20:30:00", "DAILY 2026-08-12"],
    ["BILLET", "2026-08-12T21:59:59", "DAILY 2026-08-12"],
    ["TED", "2026-08-12T06:30:00", "DAILY 2026-08-12"],
    ["PIX", "2026-08-12T20:30:00", "NIGHTLY 2026-08-12"],
    ["TEV", "2026-08-12T20:30:00", "NIGHTLY 2026-08-12"],
  ] as const)("COM-036 COM-037 a %s at %s counts in %s", (method, now, window) =>
    expect(said(windowOf(method, at(now), at(now)))).toBe(window),
  );

  it.each([
    ["2026-08-12T05:00:00", "DAILY 2026-08-12"],
    ["2026-08-12T20:30:00", "DAILY 2026-08-12"],
    // A request at this hour is paid tomorrow, or on Monday.
    ["2026-08-12T22:00:01", "DAILY 2026-08-13"],
    ["2026-08-14T22:00:01", "DAILY 2026-08-17"],
    ["2026-08-15T12:00:00", "DAILY 2026-08-17"],
  ])("at %s a boleto counts in the sum of %s", (now, window) =>
    expect(said(currentWindow("DAILY", "BILLET", at(now)))).toBe(window),
  );

  it("COM-039 can have only limits of one payment and of the daytime", () => {
    const limitsOfMethod = (method: (typeof paymentMethods)[number]) =>
      limitPeriods.filter((period) => hasLimit(period, method));
    for (const method of ["TED", "BILLET"] as const)
      expect(limitsOfMethod(method)).toEqual(["TRANSACTION", "DAILY"]);
    for (const method of ["PIX", "TEV"] as const) expect(limitsOfMethod(method)).toEqual(limitPeriods);
  });
});

describe("renewal of a period", () => {
  it.each([
    ["DAILY", "2026-08-12", "2026-08-13T06:00:00"],
    ["DAILY", "2026-08-14", "2026-08-17T06:00:00"],
    ["NIGHTLY", "2026-08-14", "2026-08-15T20:00:00"],
    ["WEEKEND", "2026-08-15", "2026-08-22T06:00:00"],
  ] as const)("%s of %s at %s", (period, day, renews) =>
    expect(renewsAt({ period, day: day as never })).toEqual(at(renews)),
  );

  it.each([
    ["2026-08-12T10:00:00", "DAILY 2026-08-12", "NIGHTLY 2026-08-12", "WEEKEND 2026-08-15", "12T20"],
    ["2026-08-12T21:00:00", "DAILY 2026-08-13", "NIGHTLY 2026-08-12", "WEEKEND 2026-08-15", "13T06"],
    ["2026-08-13T05:00:00", "DAILY 2026-08-13", "NIGHTLY 2026-08-12", "WEEKEND 2026-08-15", "13T06"],
    ["2026-08-14T21:00:00", "DAILY 2026-08-17", "NIGHTLY 2026-08-14", "WEEKEND 2026-08-15", "15T06"],
    ["2026-08-15T21:00:00", "DAILY 2026-08-17", "NIGHTLY 2026-08-15", "WEEKEND 2026-08-15", "16T06"],
    ["2026-08-16T12:00:00", "DAILY 2026-08-17", "NIGHTLY 2026-08-16", "WEEKEND 2026-08-15", "16T20"],
    ["2026-08-16T21:00:00", "DAILY 2026-08-17", "NIGHTLY 2026-08-16", "WEEKEND 2026-08-22", "17T06"],
  ])("at %s the current or next periods are: %s, %s, %s", (now, daily, nightly, weekend, ends) => {
    expect(said(currentWindow("DAILY", "PIX", at(now)))).toBe(daily);
    expect(said(currentWindow("NIGHTLY", "PIX", at(now)))).toBe(nightly);
    expect(said(currentWindow("WEEKEND", "PIX", at(now)))).toBe(weekend);
    expect(windowEnds(at(now))).toEqual(at(`2026-08-${ends}:00:00`));
  });
});

describe("limitsOf", () => {
  const all = (value: Cents) => ({ PIX: value, TEV: value, TED: value, BILLET: value });

  it("COM-035 SES-074 prefers the company's own, then for one payment Pix's, then the installation's", () => {
    const limits = limitsOf(
      {
        accountLimits: { PIX: cents(500_00), TED: cents(70_00) },
        periodLimits: { NIGHTLY: { PIX: cents(1_00) } },
      },
      {
        ...defaultInstallationLimits,
        limits: { ...defaultLimits, DAILY: { ...defaultLimits.DAILY, TED: cents(9) } },
      },
    );
    expect(limits.TRANSACTION).toEqual({ PIX: 500_00, TEV: 500_00, TED: 70_00, BILLET: 500_00 });
    expect(limits.DAILY).toEqual({ ...defaultLimits.DAILY, TED: 9 });
    expect(limits.NIGHTLY).toEqual({ ...defaultLimits.NIGHTLY, PIX: 1_00 });
    expect(limits.WEEKEND).toEqual(defaultLimits.WEEKEND);
    expect(limitsOf({}, defaultInstallationLimits)).toEqual(defaultLimits);
  });

  it("SES-074 keeps every company's limit within the installation's maximum", () => {
    const maxima = { ...defaultLimits, TRANSACTION: all(cents(100)), WEEKEND: all(cents(50)) };
    const own = { accountLimits: { PIX: cents(500), TED: cents(70) } };
    const limits = limitsOf(own, { ...defaultInstallationLimits, maxima });
    expect(limits.TRANSACTION).toEqual({ PIX: 100, TEV: 100, TED: 70, BILLET: 100 });
    expect(limits.WEEKEND).toEqual(all(cents(50)));
  });
});

describe("shortageOf", () => {
  const limits = limitsOf({ periodLimits: { DAILY: { PIX: cents(100_00) } } }, defaultInstallationLimits);
  const asked = (value: number, used: number) =>
    shortageOf(
      { period: "DAILY", day: "2026-08-14" as never, method: "PIX", value: cents(value), used },
      limits,
    );

  it("lets a sum reach its limit and not exceed it", () => {
    expect(asked(100_00, 100_00)).toBeUndefined();
    expect(asked(1, 100_01)).toMatchObject({ left: 0, neverFits: false });
    expect(asked(60_00, 110_00)).toMatchObject({
      limit: 100_00,
      left: 50_00,
      value: 60_00,
      neverFits: false,
    });
  });

  it("reports an amount that no period can hold, and no remainder when a limit was lowered below its sum", () => {
    expect(asked(100_01, 100_01)).toMatchObject({ left: 100_00, neverFits: true });
    expect(asked(1_00, 201_00)).toMatchObject({ left: 0 });
  });

  it("names the limit, the remainder, and the renewal", () => {
    const shortage = asked(60_00, 110_00);
    if (!shortage) throw new Error("it fits");
    const texts = Object.values(shortageTexts(shortage)).map((text) => text.replaceAll("\u00a0", " "));
    expect(texts).toEqual([
      "limite diurno de Pix",
      "em 14/08/2026",
      "R$ 100,00",
      "R$ 50,00",
      "R$ 60,00",
      "17/08/2026 às 06h",
    ]);
  });
});

describe("decideLimitChange", () => {
  const now = new Date("2026-08-12T13:00:00Z");
  const decide = (wanted: number, raiseHours = 24, before: number | null = null) =>
    decideLimitChange({
      current: cents(100),
      before: before === null ? null : cents(before),
      wanted: cents(wanted),
      max: cents(200),
      raiseHours,
      now,
    });

  it.each([
    [100, { kind: "refused", code: "limit_unchanged" }],
    [201, { kind: "refused", code: "limit_above_maximum" }],
    [99, { kind: "lowered" }],
    [0, { kind: "lowered" }],
    [200, { kind: "raise", takesEffectAt: new Date("2026-08-13T13:00:00Z") }],
  ])("decides on a change from 100 to %i", (wanted, decision) => expect(decide(wanted)).toEqual(decision));

  it("restores the value from before a lowering immediately, and no more than that", () => {
    expect(decide(150, 24, 150)).toEqual({ kind: "restored" });
    expect(decide(120, 24, 150)).toEqual({ kind: "restored" });
    expect(decide(151, 24, 150)).toEqual(decide(151));
    expect(decide(99, 24, 150)).toEqual({ kind: "lowered" });
    // The installation's maximum is lower by now.
    expect(decide(201, 24, 300)).toEqual({ kind: "refused", code: "limit_above_maximum" });
  });

  it("delays a raise by the installation's hours", () => {
    expect(decide(150, 48)).toEqual({ kind: "raise", takesEffectAt: new Date("2026-08-14T13:00:00Z") });
  });
});
