import * as z from "zod";
import { contract } from "./contract.ts";
import { everyProfile } from "./policy.ts";
import { transferPageFilters } from "./transfers.ts";
import { byId, date, id, instant, rangeQuery } from "./wire.ts";

/** A machine credential has no e-mail address for the link; it reads the calls that the report is made from. */
const requestsByMail = { ...everyProfile, machine: false } as const;

/** The request's id, which also gives access to progress and file without the e-mail. */
const requested = z.object({ id });

/** Period of a statement's file; with `payments`, each payment of a batch has a line in place of the batch's one. */
const statementFile = rangeQuery.extend({ lines: z.enum(["entries", "payments"]).default("entries") });

export const createPayoutReport = contract({
  id: "createPayoutReport",
  base: "payments",
  method: "POST",
  path: "/app/payout_reports",
  summary: "Pedir o relatório de transferências de até 31 dias; o link vai por e-mail",
  policy: requestsByMail,
  body: z.object({
    created_at__gte: date,
    created_at__lte: date,
    status__in: z.array(z.enum(transferPageFilters)).min(1).max(transferPageFilters.length),
    search: z.string().trim().max(100).optional(),
    bank_id: z.string().max(8).optional(),
  }),
  response: requested,
});

export const requestStatementXlsx = contract({
  id: "requestStatementXlsx",
  base: "payments",
  method: "POST",
  path: "/app/statement/entry/report/xlsx",
  summary: "Pedir o extrato do período em XLS, na forma antiga; o link vai por e-mail",
  policy: requestsByMail,
  body: statementFile,
  response: requested,
});

export const requestStatementXlsxV2 = contract({
  id: "requestStatementXlsxV2",
  base: "payments",
  method: "POST",
  path: "/app/statement/entry/report/xlsx_v2",
  summary: "Pedir o extrato do período em XLS; o link vai por e-mail",
  policy: requestsByMail,
  body: statementFile,
  response: requested,
});

export const requestStatementCsv = contract({
  id: "requestStatementCsv",
  base: "payments",
  method: "POST",
  path: "/app/statement/entry/report/csv",
  summary: "Pedir o extrato do período em CSV; o link vai por e-mail",
  policy: requestsByMail,
  body: statementFile,
  response: requested,
});

export const requestStatementOfx = contract({
  id: "requestStatementOfx",
  base: "payments",
  method: "GET",
  path: "/app/statement/entry/report/ofx",
  summary: "Pedir o extrato do período em OFX; o link vai por e-mail",
  counted: true,
  policy: requestsByMail,
  query: statementFile,
  response: requested,
});

export const requestStatementPdf = contract({
  id: "requestStatementPdf",
  base: "payments",
  method: "GET",
  path: "/app/statement/batch/report/pdf",
  summary: "Pedir o extrato do período em PDF; o link vai por e-mail",
  counted: true,
  policy: requestsByMail,
  query: statementFile,
  response: requested,
});

export const reportKinds = [
  "payouts",
  "statement_xlsx",
  "statement_xlsx_v2",
  "statement_csv",
  "statement_ofx",
  "statement_pdf",
] as const;
export type ReportKind = (typeof reportKinds)[number];

export const reportStates = ["making", "ready", "failed", "expired"] as const;

export const readReport = contract({
  id: "readReport",
  base: "payments",
  method: "GET",
  path: "/app/reports/:id",
  summary: "Andamento de um relatório pedido",
  policy: everyProfile,
  params: byId,
  response: z.object({
    id,
    kind: z.enum(reportKinds),
    state: z.enum(reportStates),
    initialDate: date,
    endDate: date,
    /** The number of lines; null until the report is ready. */
    rows_count: z.int().nullable(),
    file_name: z.string(),
    requested_at: instant,
    expires_at: instant,
  }),
});

export const downloadReport = contract({
  id: "downloadReport",
  base: "payments",
  method: "GET",
  path: "/app/reports/:id/file",
  summary: "Baixar um relatório pedido",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});
