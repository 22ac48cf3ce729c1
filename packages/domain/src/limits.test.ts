import { describe, expect, it } from "vitest";
import { defaultMaxCents, draftValueMax, maxCentsFor, sheetRowsMax } from "./limits.ts";
import { cents } from "./money.ts";

describe("maxCentsFor", () => {
  it("SES-074 prefers the account's limit of the method, then Pix's, then the shared default", () => {
    const limits = { TED: cents(5_00), PIX: cents(7_00) };
    expect(maxCentsFor("TED", limits)).toBe(5_00);
    expect(maxCentsFor("BILLET", limits)).toBe(7_00);
    expect(maxCentsFor("BILLET", {})).toBe(defaultMaxCents.BILLET);
    expect(maxCentsFor("TEV", {}, { ...defaultMaxCents, TEV: cents(9_00) })).toBe(9_00);
  });

  it("SES-074 has a shared default of ten million reais, whatever the kind of payment", () => {
    for (const method of ["TED", "PIX", "TEV", "BILLET"] as const) {
      expect(maxCentsFor(method, {})).toBe(10_000_000_00);
    }
  });

  it("SES-074 accepts zero as a limit", () => {
    expect(maxCentsFor("PIX", { PIX: cents(0) })).toBe(0);
  });
});

it("adds up a whole sheet of the largest drafts exactly", () => {
  expect(draftValueMax).toBe(900_000_000_00);
  expect(Number.isSafeInteger(draftValueMax * sheetRowsMax)).toBe(true);
});
