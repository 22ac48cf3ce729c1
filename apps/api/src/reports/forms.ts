import type { ReportKind } from "@malote/contracts/reports";
import type { TransferPageFilter } from "@malote/contracts/transfers";
import { fileTypes } from "../platform/files/file-types.ts";

export interface Period {
  initialDate: string;
  endDate: string;
}

export interface ReportRequest extends Period {
  /** Filter of a report of payouts; empty for other reports. */
  filter: { statuses?: TransferPageFilter[]; search?: string; bankId?: string };
  /** Of a statement: a line for each payment of a batch. */
  lines?: "payments";
}

interface ReportForm {
  name: string;
  /** Start of the file name. */
  slug: string;
  ending: string;
  type: string;
}

export const reportForms: Readonly<Record<ReportKind, ReportForm>> = {
  payouts: { name: "Transferências", slug: "transferencias", ending: "xlsx", type: fileTypes.xlsx },
  statement_xlsx: {
    name: "Relatório do extrato",
    slug: "relatorio-do-extrato",
    ending: "xlsx",
    type: fileTypes.xlsx,
  },
  statement_xlsx_v2: { name: "Extrato", slug: "extrato", ending: "xlsx", type: fileTypes.xlsx },
  statement_csv: { name: "Extrato", slug: "extrato", ending: "csv", type: fileTypes.csv },
  statement_ofx: { name: "Extrato", slug: "extrato", ending: "ofx", type: fileTypes.ofx },
  statement_pdf: { name: "Extrato", slug: "extrato", ending: "pdf", type: fileTypes.pdf },
};

/** Builds a name like `extrato-2026-11-01-a-2026-11-30.csv`, which says whether payments have lines of their own. */
export function reportFileName(
  kind: ReportKind,
  { initialDate, endDate, lines }: Period & Pick<ReportRequest, "lines">,
): string {
  const { slug, ending } = reportForms[kind];
  return `${slug}${lines ? "-por-pagamento" : ""}-${initialDate}-a-${endDate}.${ending}`;
}
