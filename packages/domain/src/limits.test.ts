import { describe, expect, it } from "vitest";
import { defaultMaxCents, maxCentsFor } from "./limits.ts";
import { cents } from "./money.ts";

describe("maxCentsFor", () => {
  it("SES-074 the account's limit of the type wins, then Pix's, then the shared default", () => {
    const limits = { TED: cents(5_00), PIX: cents(7_00) };
    expect(maxCentsFor("TED", limits)).toBe(5_00);
    expect(maxCentsFor("BILLET", limits)).toBe(7_00);
    expect(maxCentsFor("BILLET", {})).toBe(defaultMaxCents.BILLET);
    expect(maxCentsFor("TEV", {}, { ...defaultMaxCents, TEV: cents(9_00) })).toBe(9_00);
  });

  it("SES-074 a limit of zero is a limit", () => {
    expect(maxCentsFor("PIX", { PIX: cents(0) })).toBe(0);
  });
});
