import { expect, it } from "vitest";
import { issueFormText } from "./issues.ts";
import { isSuspended, suspendedMethods, suspensionIssue } from "./suspended-functions.ts";

it("SES-033 'all' contains every function, and a list only the named ones", () => {
  expect(isSuspended(["all"], "payout_pix")).toBe(false);
  expect(isSuspended(["platform_access", "payout_pix"], "payout_pix")).toBe(false);
  expect(isSuspended(["platform_access", "payout_ted"], "payout_pix")).toBe(true);
  expect(isSuspended([], "payin_boleto")).toBe(true);
});

it("SHL-038 a transfer within the institution counts as TED, and no list contains no method", () => {
  expect(suspendedMethods(["payout_pix", "payout_boleto"])).toEqual(["TED", "TEV"]);
  expect(suspendedMethods(["all"])).toEqual([]);
  expect(suspendedMethods([])).toEqual(["PIX", "TED", "TEV", "BILLET"]);
});

it("SHL-038 a payment by a suspended method names the function and the remedy, at the field of its method", () => {
  expect(suspensionIssue("TED", ["PIX"])).toBeUndefined();
  const issue = suspensionIssue("BILLET", ["BILLET"]);
  expect(issue?.field).toBe("barcode");
  expect(issueFormText(issue ?? { code: "transfer_invalid" })).toBe(
    'A função "Pagar boletos" está suspensa. Pague de outra forma ou fale com o suporte',
  );
});
