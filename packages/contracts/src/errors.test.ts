import { formatMoment } from "@malote/domain/calendar";
import { expect, it } from "vitest";
import { ofApprovals } from "./errors/approvals.ts";
import { ofCalls } from "./errors/calls.ts";
import { ofCompany } from "./errors/company.ts";
import { ofFiles } from "./errors/files.ts";
import { ofPayouts } from "./errors/payouts.ts";
import { ofPixKeys } from "./errors/pix-keys.ts";
import { ofReceiving } from "./errors/receiving.ts";
import { errors, errorText } from "./errors.ts";

it.each([
  [1, "1 pessoa que aprova precisa ter a autenticação"],
  [2, "2 pessoas que aprovam precisam ter a autenticação"],
])("counts %i people who approve without a second factor", (count, words) => {
  expect(errorText("controls_without_factor", { count })).toContain(`do autenticador, ${words}`);
});

it("counts one mistake in the singular and several in the plural", () => {
  expect(errorText("batch_has_errors", { count: 1 })).toContain("o pagamento com erro");
  expect(errorText("batch_has_errors", { count: 3 })).toContain("os 3 pagamentos com erro");
});

it("SES-072 shows an expiry with the whole date", () => {
  const until = formatMoment(new Date("2026-08-13T13:00:00Z"));
  const codes = Object.entries(errors).filter(([, [, text]]) => text.includes("{until}"));
  expect(codes.map(([code]) => code).sort()).toEqual([
    "admin_too_new",
    "approver_too_new",
    "withdrawals_frozen",
  ]);
  for (const [code] of codes) expect(errorText(code, { until, back: "" })).toContain("13/08/2026 10:00");
  // No sentence contains a day of its own.
  const shortDate = /(?<![\d/])\d{2}\/\d{2}(?![\d/])/;
  expect(Object.values(errors).filter(([, text]) => shortDate.test(text))).toEqual([]);
});

it("defines each code in one file only, so that none hides another", () => {
  const parts = [ofApprovals, ofCalls, ofCompany, ofFiles, ofPayouts, ofPixKeys, ofReceiving];
  expect(parts.flatMap((part) => Object.keys(part)).sort()).toEqual(Object.keys(errors).sort());
});
