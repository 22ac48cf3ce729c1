import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endToEndId, isEndToEndId, returnId } from "./end-to-end-id.ts";

const instant = new Date("2026-11-21T02:59:59.999Z");

describe("endToEndId", () => {
  it("TRF-003 contains the sender, the minute in UTC and eleven characters", () => {
    expect(endToEndId("99999593", instant, "abcDEF12345")).toBe("E99999593202611210259abcDEF12345");
  });

  it("a return's id has the same form with a D, and is not a payment's id", () => {
    const id = returnId("99999593", instant, "abcDEF12345");
    expect(id).toBe("D99999593202611210259abcDEF12345");
    expect(isEndToEndId(id)).toBe(false);
  });

  it.each([
    ["9999959", "abcDEF12345"],
    ["99999593", "abcDEF1234"],
    ["99999593", "abcDEF12-45"],
  ])("refuses the ISPB %s with %s", (ispb, eleven) => {
    expect(() => endToEndId(ispb, instant, eleven)).toThrow();
  });

  it("generates only valid ids", () => {
    const moments = fc.date({
      min: new Date("2020-11-16"),
      max: new Date("2199-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.stringMatching(/^[a-zA-Z0-9]{11}$/), (moment, eleven) => {
        expect(isEndToEndId(endToEndId("00000000", moment, eleven))).toBe(true);
      }),
    );
  });

  it.each([
    "",
    "D12345678202009091221abcde123456",
    "E1234567820201309122100000000000",
    "E1234567820200900122100000000000",
    "E1234567820200909242100000000000",
    "E1234567820200932221200000000000",
    "E1234567820200909226000000000000",
    "E123456782020090912210000000000",
  ])("TRF-003 does not accept '%s'", (text) => {
    expect(isEndToEndId(text)).toBe(false);
  });

  it("TRF-003 accepts the official example", () => {
    expect(isEndToEndId("E1234567820200909122120200808008")).toBe(true);
  });
});
