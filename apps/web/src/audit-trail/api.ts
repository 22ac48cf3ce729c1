import {
  type AuditTrailFilters,
  downloadAuditTrail,
  exportAuditTrail,
  listAuditActors,
  listAuditTrail,
  readAuditTrailExport,
} from "@malote/contracts/audit-trail";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Report } from "../payins/index.ts";
import { call } from "../shell/call.ts";

export function auditTrailQuery(filters: AuditTrailFilters, cursor: string | null) {
  return queryOptions({
    queryKey: ["audit-trail", "list", filters, cursor],
    queryFn: ({ signal }) =>
      call(listAuditTrail, { query: { ...filters, ...(cursor && { page_cursor: cursor }) }, signal }),
    placeholderData: keepPreviousData,
  });
}

export const auditActorsQuery = queryOptions({
  queryKey: ["audit-trail", "actors"],
  queryFn: ({ signal }) => call(listAuditActors, { signal }),
});

export const auditTrailReport = (filters: AuditTrailFilters): Report => ({
  ask: () => call(exportAuditTrail, { body: filters }),
  read: (id) => call(readAuditTrailExport, { params: { id } }),
  fetch: (id) => call(downloadAuditTrail, { params: { id } }),
});
