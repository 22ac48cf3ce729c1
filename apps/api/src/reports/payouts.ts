/** Report by the transfers page's filter (TRF-057): the rows of a batch's report with their batch, as a workbook. */
import { slicesAfter, tablePieces, type WrittenFile } from "../exports/index.ts";
import { listForReport, type PeriodRow, reportHeadings, reportRow } from "../payouts/index.ts";
import type { Services } from "../platform/services.ts";
import type { ReportRequest } from "./forms.ts";

const rowsAtOnce = 1_000;

export function payoutReport(services: Services, companyId: string, request: ReportRequest): WrittenFile {
  const now = services.clock.now();
  let written = 0;
  const slices = slicesAfter<PeriodRow>(async (last) => {
    const rows = await services.db.readCompany(companyId, (tx) =>
      listForReport(tx, request, { now, last, size: rowsAtOnce }),
    );
    written += rows.length;
    return rows;
  });
  const table = {
    name: "Transferências",
    headings: ["Lote", ...reportHeadings],
    slices,
    cellsOf: (row: PeriodRow) => [row.batch_name, ...reportRow(row)],
  };
  return { pieces: tablePieces(table, "xlsx"), rows: () => written };
}
