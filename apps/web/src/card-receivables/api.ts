import {
  downloadReceivableReport,
  listReceivables,
  type ReceivableStatus,
  readReceivableReport,
  readReceivableTotals,
  requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { readCompanySettings } from "@malote/contracts/company";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Report } from "../payins/index.ts";
import { call } from "../shell/call.ts";
import type { Session } from "../shell/session.ts";

export interface ReceivableFilters {
  search: string;
  /** Days as `YYYY-MM-DD`, both included. */
  from: string;
  until: string;
  statuses: readonly ReceivableStatus[];
}

/** Read on entering the route; a setting that cannot be read keeps the route closed. */
export async function hasCardCharge(session: Session): Promise<boolean> {
  if (!session.feature_flags.includes("card-charge")) return false;
  return call(readCompanySettings, {}).then(
    (settings) => settings.hasCardCharge,
    () => false,
  );
}

const wire = ({ search, from, until, statuses }: ReceivableFilters) => ({
  ...(search && { search }),
  receive_date__gte: from,
  receive_date__lte: until,
  status__in: [...statuses],
});

/** Pages are counted from 0 (CRD-004). */
export function receivableListQuery(filters: ReceivableFilters, page: number) {
  return queryOptions({
    queryKey: ["card-receivables", "list", filters, page],
    queryFn: ({ signal }) =>
      call(listReceivables, { query: { ...wire(filters), page, page_size: 10 }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function receivableTotalsQuery(filters: ReceivableFilters) {
  return queryOptions({
    queryKey: ["card-receivables", "totals", filters],
    queryFn: ({ signal }) => call(readReceivableTotals, { query: wire(filters), signal }),
    placeholderData: keepPreviousData,
  });
}

export const receivableReport = (filters: ReceivableFilters): Report => ({
  ask: () => call(requestReceivableReport, { body: wire(filters) }),
  read: (id) => call(readReceivableReport, { params: { id } }),
  fetch: (id) => call(downloadReceivableReport, { params: { id } }),
});
