import type { ReportKind } from "@malote/contracts/reports";

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** What a report is called, how its file ends, and what it is on the wire. */
export const reportForms: Readonly<Record<ReportKind, { name: string; ending: string; type: string }>> = {
  payouts: { name: "Transferências", ending: "xlsx", type: xlsx },
  statement_xlsx: { name: "Relatório do extrato", ending: "xlsx", type: xlsx },
  statement_xlsx_v2: { name: "Extrato", ending: "xlsx", type: xlsx },
  statement_csv: { name: "Extrato", ending: "csv", type: "text/csv; charset=utf-8" },
  statement_ofx: { name: "Extrato", ending: "ofx", type: "application/x-ofx" },
  statement_pdf: { name: "Extrato", ending: "pdf", type: "application/pdf" },
};

interface Named {
  kind: ReportKind;
  initial_date: string;
  end_date: string;
}

/** Plain letters, for a header and any disk: `extrato-2026-11-01-a-2026-11-30.csv`. */
export function reportFileName({ kind, initial_date, end_date }: Named): string {
  const { name, ending } = reportForms[kind];
  const plain = name
    .normalize("NFD")
    .replace(/[^A-Za-z ]/g, "")
    .replaceAll(" ", "-")
    .toLowerCase();
  return `${plain}-${initial_date}-a-${end_date}.${ending}`;
}
