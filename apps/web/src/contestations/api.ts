import {
  answerInfraction,
  approveInfractions,
  downloadInfractionExport,
  downloadInfractionFile,
  exportInfractions,
  type InfractionFilters,
  listInfractionRefunds,
  listInfractions,
  readInfraction,
  readInfractionExport,
  readInfractionTerms,
  readPendingInfractions,
} from "@malote/contracts/contestations";
import type { QueryOf } from "@malote/contracts/contract";
import { type Analysis, type AnalysisStatus, readInfractionSearch } from "@malote/domain/infraction";
import type { contestationPageSizes } from "@malote/domain/limits";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshTopBar } from "../shell/balance.ts";
import { call } from "../shell/call.ts";

/** Parameters of the list, by their names in the address bar (MED-015). */
export interface InfractionListParams {
  pageCursor: string | null;
  pageSize: (typeof contestationPageSizes)[number];
  infractionStartDate: string | null;
  infractionEndDate: string | null;
  searchTerm: string;
  infractionAnalysisStatus: AnalysisStatus | null;
}

const keys = {
  all: ["infractions"] as const,
  list: (params: InfractionListParams) => [...keys.all, "list", params] as const,
  one: (id: string) => [...keys.all, "one", id] as const,
  refunds: (id: string, search: string, cursor: string | null) =>
    [...keys.all, "refunds", id, search, cursor] as const,
  exported: (id: string) => [...keys.all, "export", id] as const,
};

/** Maps the words of the address to those of the wire (MED-014, MED-016). */
export function filtersOf(params: Omit<InfractionListParams, "pageCursor" | "pageSize">): InfractionFilters {
  const { infractionAnalysisStatus, infractionStartDate, infractionEndDate } = params;
  const search = readInfractionSearch(params.searchTerm);
  return {
    ...(infractionAnalysisStatus && { analysis_status: infractionAnalysisStatus }),
    ...(infractionStartDate && { infraction_date__gte: infractionStartDate }),
    ...(infractionEndDate && { infraction_date__lte: infractionEndDate }),
    ...(search && "payerTaxId" in search && { payer_tax_id: search.payerTaxId }),
    ...(search && "transactionId" in search && { transaction_id: search.transactionId }),
  };
}

export function infractionListQuery(params: InfractionListParams) {
  const { pageCursor, pageSize, ...filters } = params;
  return queryOptions({
    queryKey: keys.list(params),
    queryFn: ({ signal }) =>
      call(listInfractions, {
        query: { ...filtersOf(filters), page_size: pageSize, ...(pageCursor && { page_cursor: pageCursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function infractionQuery(id: string) {
  return queryOptions({
    queryKey: keys.one(id),
    queryFn: ({ signal }) => call(readInfraction, { params: { id }, signal }),
  });
}

const lookEveryMs = 60_000;

export const pendingInfractionsQuery = queryOptions({
  queryKey: [...keys.all, "pending"],
  queryFn: ({ signal }) => call(readPendingInfractions, { signal }),
  // An error stops the polling (SES-070).
  refetchInterval: ({ state }) => (state.status === "error" ? false : lookEveryMs),
});

export const termsQuery = queryOptions({
  queryKey: [...keys.all, "terms"],
  queryFn: ({ signal }) => call(readInfractionTerms, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function refundMovementsQuery(id: string, search: string, cursor: string | null) {
  return queryOptions({
    queryKey: keys.refunds(id, search, cursor),
    queryFn: ({ signal }) =>
      call(listInfractionRefunds, {
        params: { id },
        query: { page_size: 10, ...(search && { search }), ...(cursor && { page_cursor: cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Also after a refusal: it means that the infraction was answered elsewhere while this screen was open. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => {
    refreshTopBar();
    void queryClient.invalidateQueries({ queryKey: keys.all });
  };
}

export function useApproveInfractions() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ ids, idempotencyKey }: { ids: string[]; idempotencyKey: string }) =>
      call(approveInfractions, { body: { infraction_ids: ids, analysis: "accepted" }, idempotencyKey }),
    onSettled: refresh,
  });
}

/** Name of the rejecting decision here (MED-035). */
export interface DefencePayload {
  infraction_ids: readonly [string];
  analysisDescription: string;
  analysisDecision: Analysis;
  files: readonly File[];
}

export function useAnswerInfraction() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (payload: DefencePayload) => {
      const [id] = payload.infraction_ids;
      const body = new FormData();
      body.append("analysis", payload.analysisDecision);
      body.append("analysis_description", payload.analysisDescription);
      for (const file of payload.files) body.append("attachments", file, file.name);
      return call(answerInfraction, { params: { id }, body });
    },
    onSettled: refresh,
  });
}

/** The address that came with the details may have expired, so the details are read again for a new one. */
export async function fetchAttachment(id: string): Promise<Blob> {
  const [file] = (await call(readInfraction, { params: { id } })).files;
  const query = Object.fromEntries(new URL(file?.signed_url ?? "", location.origin).searchParams);
  return call(downloadInfractionFile, { params: { id }, query: query as SignedQuery });
}
type SignedQuery = QueryOf<typeof downloadInfractionFile>;

export const requestExport = (filters: InfractionFilters) => call(exportInfractions, { body: filters });

const pollMs = 2_000;

export function exportQuery(id: string | null) {
  return queryOptions({
    queryKey: keys.exported(id ?? ""),
    queryFn: ({ signal }) => call(readInfractionExport, { params: { id: id ?? "" }, signal }),
    enabled: id !== null,
    gcTime: 0,
    // An error stops the polling (SES-070); the person starts it again.
    refetchInterval: ({ state }) =>
      state.status === "error" || (state.data && state.data.status !== "processing") ? false : pollMs,
    // Runs in background tabs too, so that they still get their file.
    refetchIntervalInBackground: true,
  });
}

export const fetchExport = (id: string) => call(downloadInfractionExport, { params: { id } });
