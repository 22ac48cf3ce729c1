/** Report by the transfers page's filter (TRF-057): the rows of a batch's report with their batch, as a workbook. */
import { sql } from "kysely";
import { slicesAfter, tablePieces, type WrittenFile } from "../exports/index.ts";
import {
  filterByStatus,
  type ListPlace,
  nextByPeriod,
  type PaymentFilter,
  type Period,
  type ReportedPayment,
  reportColumns,
  reportHeadings,
  reportRow,
  searchAndBankCondition,
  transferKind,
} from "../payouts/index.ts";
import type { Services } from "../platform/services.ts";
import type { ReportRequest } from "./forms.ts";

const rowsAtOnce = 1_000;

type PayoutRow = ReportedPayment & ListPlace & { batch_name: string };

function filterOf(filter: ReportRequest["filter"], now: Date): PaymentFilter {
  const wanted = filter.statuses?.map((status) => sql`(${filterByStatus(status, undefined).status})`);
  return {
    status: wanted ? sql`(${sql.join(wanted, sql` OR `)})` : sql`true`,
    counted: undefined,
    further: searchAndBankCondition(transferKind, filter, now),
  };
}

export function payoutReport(
  services: Services,
  companyId: string,
  { initialDate, endDate, filter }: ReportRequest,
): WrittenFile {
  const period: Period = { type: "TRANSFER", initialDate, endDate };
  const conditions = filterOf(filter, services.clock.now());
  let written = 0;
  const slices = slicesAfter<PayoutRow>(async (last) => {
    const rows = await services.db.readCompany(companyId, (tx) =>
      nextByPeriod<PayoutRow>(tx, period, conditions, reportColumns, last, rowsAtOnce),
    );
    written += rows.length;
    return rows;
  });
  const table = {
    name: "Transferências",
    headings: ["Lote", ...reportHeadings],
    slices,
    cellsOf: (row: PayoutRow) => [row.batch_name, ...reportRow(row)],
  };
  return { pieces: tablePieces(table, "xlsx"), rows: () => written };
}
