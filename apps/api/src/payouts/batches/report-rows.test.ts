import { expect, it } from "vitest";
import { workbookOf } from "../../exports/index.ts";
import { boletoReportHeadings } from "../boletos/report.ts";
import { reportHeadings } from "./report-rows.ts";

it("keeps days as days and amounts as numbers, and everything else as it is written", () => {
  const { columns, cellsOf } = workbookOf(["Descrição", "Vencimento", "Valor", "Data", "ID integração"]);
  expect(cellsOf(["20/08/2026", "20/08/2026", "1.234,56", "", "10,00"])).toEqual([
    "20/08/2026",
    { day: "2026-08-20" },
    { centavos: 1_234_56 },
    "",
    "10,00",
  ]);
  expect(columns.map(({ isDay }) => isDay)).toEqual([false, true, false, true, false]);
});

it("finds the days of both kinds of report", () => {
  const daysOf = (headings: readonly string[]) =>
    workbookOf(headings).columns.flatMap(({ title, isDay }) => (isDay ? [title] : []));
  expect(daysOf(reportHeadings)).toEqual(["Data"]);
  expect(daysOf(boletoReportHeadings)).toEqual(["Vencimento", "Data"]);
});
