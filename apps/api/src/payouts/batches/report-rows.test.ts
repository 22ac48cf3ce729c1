import { type PaymentStatus, paymentStatuses } from "@malote/domain/payment-status";
import { expect, it } from "vitest";
import { workbookOf } from "../../exports/index.ts";
import { boletoReportHeadings } from "../boletos/report.ts";
import { type ReportedPayment, reportHeadings, reportRow } from "./report-rows.ts";

it("writes days as days, amounts as numbers, and everything else unchanged", () => {
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

it("TRF-007 names each status of a payment as the screen does", () => {
  const payment: ReportedPayment = {
    id: "0198f000-0000-7000-8000-000000000001",
    batch_id: "0198f000-0000-7000-8000-000000000002",
    position: 1,
    status: "CREATED",
    value: 12_345,
    payment_method: "PIX",
    integration_id: null,
    name: "Ana Lima",
    tax_id: null,
    bank_ispb: null,
    agency: null,
    agency_digit: null,
    account: null,
    account_digit: null,
    pix_key_type: "EMAIL",
    pix_key: "ana@exemplo.com.br",
    status_description: null,
    end_to_end_id: null,
    transfer_date: null,
    returned_date: null,
  };
  const names: Record<PaymentStatus, string> = {
    CREATED: "Criada",
    RECEIVED: "Em processamento",
    SCHEDULED: "Agendado",
    EXECUTING: "Em processamento",
    EM_REMESSA: "Em processamento",
    FAILED_INTERNAL: "Em processamento",
    TRANSFERRED: "Transferida",
    FINISHED: "Transferida",
    FAILED: "Falha",
    BEING_RETURNED: "Em devolução",
    RETURNED: "Devolvida",
    REQUESTED_REFUND: "A devolver",
  };
  const at = reportHeadings.indexOf("Status");
  for (const status of paymentStatuses)
    expect([status, reportRow({ ...payment, status })[at]]).toEqual([status, names[status]]);
});
