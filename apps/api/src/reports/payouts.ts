/** The report of the transfers page's filter (TRF-057): the rows of a batch's report, with their batch, as a workbook. */
import { sql } from "kysely";
import {
  furtherConditions,
  type ListPlace,
  type Meant,
  meantBy,
  nextOfPeriod,
  type Period,
  type ReportedPayment,
  reportColumns,
  reportHeadings,
  reportRow,
  workbookOf,
  xlsxPieces,
} from "../payouts/index.ts";
import type { Parts } from "../platform/parts.ts";
import type { Report } from "./make.ts";
import type { ReportRequest } from "./store.ts";

const rowsAtOnce = 1_000;

type PayoutRow = ReportedPayment & ListPlace & { batch_name: string };

function meantOf({ filter }: ReportRequest): Meant {
  const wanted = (filter.statuses ?? []).map((status) => sql`(${meantBy(status, undefined).status})`);
  return {
    status: sql`(${sql.join(wanted, sql` OR `)})`,
    counted: undefined,
    further: furtherConditions(filter),
  };
}

export async function payoutReport(parts: Parts, companyId: string, request: ReportRequest): Promise<Report> {
  const period: Period = {
    type: "TRANSFER",
    initialDate: request.initial_date,
    endDate: request.end_date,
  };
  const meant = meantOf(request);
  const titles = ["Lote", ...reportHeadings];
  const { columns, cellsOf } = workbookOf(titles);
  let written = 0;
  async function* rows() {
    for (let last: PayoutRow | undefined; ; ) {
      const place = last;
      const some = await parts.db.readCompany(companyId, (tx) =>
        nextOfPeriod<PayoutRow>(tx, period, meant, reportColumns, place, rowsAtOnce),
      );
      last = some.at(-1);
      if (!last) return;
      written += some.length;
      for (const row of some) yield cellsOf([row.batch_name, ...reportRow(row)]);
    }
  }
  return { pieces: xlsxPieces("Transferências", columns, rows()), rows: () => written };
}
