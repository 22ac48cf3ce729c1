/** Payments of the transfers page's filter, with their batch, in the slices that a report writes (TRF-057). */
import type { TransferPageFilter } from "@malote/contracts/transfers";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import {
  filterByStatus,
  type ListPlace,
  listNextByPeriod,
  type PaymentFilter,
} from "../lists/by-period-store.ts";
import { searchAndBankCondition } from "../lists/lists.ts";
import { transferKind } from "../transfers/listed.ts";
import { type ReportedPayment, reportColumns } from "./report-rows.ts";

export type PeriodRow = ReportedPayment & ListPlace & { batch_name: string };

export interface PeriodReport {
  initialDate: string;
  endDate: string;
  filter: { statuses?: TransferPageFilter[]; search?: string; bankId?: string };
}

function conditionsOf(filter: PeriodReport["filter"], now: Date): PaymentFilter {
  const wanted = filter.statuses?.map((status) => sql`(${filterByStatus(status, undefined).status})`);
  return {
    status: wanted ? sql`(${sql.join(wanted, sql` OR `)})` : sql`true`,
    counted: undefined,
    further: searchAndBankCondition(transferKind, filter, now),
  };
}

/** Returns the next payments after `last`, the newest batch first; `now` is the same for all slices of a report. */
export function listForReport(
  tx: Tx,
  { initialDate, endDate, filter }: PeriodReport,
  { now, last, size }: { now: Date; last: PeriodRow | undefined; size: number },
): Promise<PeriodRow[]> {
  const period = { type: "TRANSFER", initialDate, endDate } as const;
  return listNextByPeriod<PeriodRow>(tx, period, conditionsOf(filter, now), reportColumns, last, size);
}
