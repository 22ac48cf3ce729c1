import { expect, it } from "vitest";
import { goodCard, refusalOfCard } from "./magic-values.ts";

it("accepts a card until its month ends in São Paulo", () => {
  const card = { number: goodCard, expiry: { month: 8, year: 2026 } };
  expect(refusalOfCard(card, new Date("2026-09-01T02:59:59Z"))).toBeUndefined();
  expect(refusalOfCard(card, new Date("2026-09-01T03:00:00Z"))).toBe("card_expired");
});
