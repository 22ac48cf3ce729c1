import { expect, it } from "vitest";
import { features, fileKinds } from "../registry.ts";
import { fileKindsOf } from "./kind.ts";

const exportsOfAll = features.flatMap((feature) => feature.exports ?? []);

it("knows every kind that the features name, each from one feature", () => {
  expect(exportsOfAll.map(({ kind, madeBy }) => `${kind} by ${madeBy}`).sort()).toEqual([
    "audit_trail by download",
    "card_receivables by download",
    "infractions by job",
    "payins by download",
    "payouts by job",
    "receipts by job",
    "statement_csv by job",
    "statement_ofx by job",
    "statement_pdf by job",
    "statement_xlsx by job",
    "statement_xlsx_v2 by job",
  ]);
  expect([...fileKinds.keys()].sort()).toEqual(
    exportsOfAll
      .filter(({ madeBy }) => madeBy === "job")
      .map(({ kind }) => kind)
      .sort(),
  );
});

it.each(exportsOfAll)("refuses a second feature that claims the kind $kind", (one) => {
  expect(() => fileKindsOf([{ exports: [one] }, { exports: [one] }])).toThrow(
    `two features export the kind ${one.kind}`,
  );
});

it("counts kinds of one limit together, whichever of them is requested", () => {
  for (const { limit, kind } of fileKinds.values()) {
    expect(limit.kinds).toContain(kind);
    for (const other of limit.kinds) expect(fileKinds.get(other)?.limit).toEqual(limit);
  }
});
