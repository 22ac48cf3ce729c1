import { describe, expect, it } from "vitest";
import { targetOfMove } from "./clock-move.ts";

/** Builds an instant from the wall clock time in São Paulo. */
const at = (day: string, time: string) => new Date(`${day}T${time}-03:00`);

describe("a move of the clock", () => {
  it.each([
    ["more than a year ahead", { instant: "2027-11-30T13:00:00.000Z" }],
    ["to no time of day", { time: "24:01" }],
    ["to no minute", { time: "10:75" }],
  ])("%s cannot be reached", (_what, move) => {
    expect(targetOfMove(move, at("2026-11-18", "10:00:00"))).toBe("out_of_reach");
  });

  it("is refused for a past instant, and accepted for the present one", () => {
    const now = at("2026-11-18", "10:00:00");
    expect(targetOfMove({ instant: "2026-11-18T12:59:59.999Z" }, now)).toBe("has_passed");
    expect(targetOfMove({ instant: now.toISOString() }, now)).toEqual(now);
  });

  it.each([
    // The clock starts on a Thursday; Friday 20 November is a holiday.
    ["to the next business day", { to: "next_business_day" } as const, at("2026-11-23", "08:00:00")],
    ["to a time still to come", { time: "16:31" }, at("2026-11-19", "16:31:00")],
    ["to a time that has passed today", { time: "09:00" }, at("2026-11-20", "09:00:00")],
    ["to the time it is", { time: "10:00" }, at("2026-11-20", "10:00:00")],
    ["to midnight", { time: "00:00" }, at("2026-11-20", "00:00:00")],
    ["by a while", { advance_ms: 90_000 }, at("2026-11-19", "10:01:30")],
    ["to an instant", { instant: "2026-11-25T13:00:00.000Z" }, at("2026-11-25", "10:00:00")],
  ])("%s is accepted", (_what, move, target) => {
    expect(targetOfMove(move, at("2026-11-19", "10:00:00"))).toEqual(target);
  });
});
