import { describe, expect, it } from "vitest";
import { type FundingFinding, firstFinding, fundingFindings, turnOfShortage } from "./funding.ts";
import { cents } from "./money.ts";

const inOrder: readonly FundingFinding[] = [
  "company_blocked",
  "method_suspended",
  "payments_forbidden",
  "payments_repriced",
  "approval_missing",
];

/** Decides about a batch with these findings; returns the deciding one and the checks that ran. */
async function decided(found: readonly FundingFinding[]) {
  const asked: FundingFinding[] = [];
  const question = (finding: FundingFinding) => async () => {
    asked.push(finding);
    return found.includes(finding) ? finding : undefined;
  };
  const first = await firstFinding({
    company_blocked: question("company_blocked"),
    method_suspended: question("method_suspended"),
    payments_forbidden: question("payments_forbidden"),
    payments_repriced: question("payments_repriced"),
    approval_missing: question("approval_missing"),
  });
  return { first, asked };
}

describe("a batch that waits for balance", () => {
  it("may be funded when every check finds nothing", async () => {
    expect(await decided([])).toEqual({ first: undefined, asked: inOrder });
  });

  it.each([
    ["company_blocked", "stop"],
    ["method_suspended", "hold"],
    ["payments_forbidden", "send_back"],
    ["payments_repriced", "send_back"],
    ["approval_missing", "send_back"],
  ] as const)("with %s: %s, without the checks after it", async (finding, turn) => {
    const place = inOrder.indexOf(finding);
    const { first, asked } = await decided(inOrder.slice(place));
    expect(first).toEqual({ finding, turn, details: finding });
    expect(asked).toEqual(inOrder.slice(0, place + 1));
  });

  it("runs each check once", () => {
    expect(fundingFindings.map(({ finding }) => finding)).toEqual(inOrder);
  });
});

describe("a batch above a limit", () => {
  const value = cents(100_00);
  it.each([
    ["goes back where no period can hold it, with the money", true, 100_00, "send_back"],
    ["goes back where no period can hold it, without the money", true, 0, "send_back"],
    ["waits for the limit where the money is there to the centavo", false, 100_00, "hold"],
    ["stops the turn where a centavo is missing", false, 99_99, "stop"],
  ] as const)("%s", (_what, neverFits, available, turn) => {
    expect(turnOfShortage({ neverFits, available: cents(available), value })).toBe(turn);
  });
});
