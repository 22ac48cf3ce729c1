import { describe, expect, it } from "vitest";
import { paymentMoment, tedMoment } from "./payment-moment.ts";

/** 12 August 2026 is a Wednesday; the 15th and 16th are a weekend. São Paulo is three hours behind UTC. */
const at = (day: string, time: string) => new Date(`${day}T${time}-03:00`);

describe("a TED", () => {
  it.each([
    ["at once within the hours of the day", null, at("2026-08-12", "10:00:00"), at("2026-08-12", "10:00:00")],
    [
      "when the day opens, before its hours",
      null,
      at("2026-08-12", "05:00:00"),
      at("2026-08-12", "06:30:00"),
    ],
    ["in the last second of the hours", null, at("2026-08-12", "16:30:00"), at("2026-08-12", "16:30:00")],
    ["on the next day, a second later", null, at("2026-08-12", "16:30:01"), at("2026-08-13", "06:30:00")],
    [
      "on Monday, after the hours of Friday",
      null,
      at("2026-08-14", "17:00:00"),
      at("2026-08-17", "06:30:00"),
    ],
    ["on Monday, from a Saturday", null, at("2026-08-15", "10:00:00"), at("2026-08-17", "06:30:00")],
    [
      "on the chosen day, when it opens",
      "2026-08-20",
      at("2026-08-12", "10:00:00"),
      at("2026-08-20", "06:30:00"),
    ],
    ["after a chosen weekend", "2026-08-16", at("2026-08-12", "10:00:00"), at("2026-08-17", "06:30:00")],
    [
      "today, for a day that has passed",
      "2026-08-03",
      at("2026-08-12", "10:00:00"),
      at("2026-08-12", "10:00:00"),
    ],
  ])("is sent %s", (_when, day, now, moment) => {
    expect(tedMoment(day, now)).toEqual(moment);
    expect(paymentMoment({ method: "TED", day, isEarly: false }, now)).toEqual(moment);
  });
});

describe.each(["PIX", "TEV"] as const)("a %s", (method) => {
  const moment = (day: string | null, now: Date) => paymentMoment({ method, day, isEarly: false }, now);

  it("is sent immediately, at any hour of any day", () => {
    const now = at("2026-08-15", "23:59:59");
    expect(moment(null, now)).toEqual(now);
    expect(moment("2026-08-15", now)).toEqual(now);
    expect(moment("2026-08-03", now)).toEqual(now);
  });

  it("is sent when the chosen day begins, also on a weekend", () => {
    expect(moment("2026-08-16", at("2026-08-12", "10:00:00"))).toEqual(at("2026-08-16", "00:00:00"));
  });
});

it("is sent as a boleto within the hours of boletos, which end earlier for some", () => {
  const now = at("2026-08-12", "10:00:00");
  expect(paymentMoment({ method: "BILLET", day: null, isEarly: false }, now)).toEqual(now);
  const evening = at("2026-08-12", "23:00:00");
  for (const isEarly of [false, true]) {
    const moment = paymentMoment({ method: "BILLET", day: null, isEarly }, evening);
    expect(moment.toISOString().slice(0, 10)).toBe("2026-08-13");
  }
});
