import type { ResponseOf } from "@malote/contracts/contract";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  downloadRefundReceipt,
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinReport,
  readPayinTotals,
  refundPayin,
  requestPayinReport,
} from "@malote/contracts/payins";
import { type PayinStatus, type PayinType, payinsVisibleFrom } from "@malote/domain/payin";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshTopBar } from "../shell/balance.ts";
import { call } from "../shell/call.ts";
import type { Report } from "./report.ts";

export interface PayinFilters {
  search: string;
  /** Days, `YYYY-MM-DD`, both included. */
  from: string;
  until: string;
  statuses: readonly PayinStatus[];
  types: readonly PayinType[];
}

/** Position in the list: a page counted from 0, or a cursor of an answer. */
export type Place = { page: number } | { page_cursor: string };

const payinKeys = {
  all: ["payins"] as const,
  list: (filters: PayinFilters, place: Place) => [...payinKeys.all, "list", filters, place] as const,
  allTotals: ["payins", "totals"] as const,
  totals: (filters: PayinFilters) => [...payinKeys.allTotals, filters] as const,
  one: (id: string) => [...payinKeys.all, "one", id] as const,
  refunds: (id: string) => [...payinKeys.all, "one", id, "refunds"] as const,
};

/** PAY-007: payins before that day are not shown. */
export const isBeforeVisible = ({ until }: Pick<PayinFilters, "until">): boolean => until < payinsVisibleFrom;

/** Returns the bounds of days in São Paulo as instants; the offset has been -03:00 all year since 2019. */
const wire = ({ search, from, until, statuses, types }: PayinFilters) => ({
  ...(search && { search }),
  created_at__gte: new Date(
    `${from < payinsVisibleFrom ? payinsVisibleFrom : from}T00:00:00.000-03:00`,
  ).toISOString(),
  created_at__lte: new Date(`${until}T23:59:59.999-03:00`).toISOString(),
  status__in: [...statuses],
  payment_type__in: [...types],
});

/** PAY-015: polling interval while a refund is pending; an error stops it (SES-070). */
const refundingPollMs = 5_000;
/** True while money is being returned, by the company's refund or the network's return. */
const isRefunding = ({ status }: Payin) => status === "refunding" || status === "rejected";

export function payinListQuery(filters: PayinFilters, place: Place) {
  return queryOptions({
    queryKey: payinKeys.list(filters, place),
    queryFn: async ({ signal, client, queryKey }) => {
      const before = client.getQueryData<ResponseOf<typeof listPayins>>(queryKey);
      const list = await call(listPayins, { query: { ...wire(filters), ...place, page_size: 10 }, signal });
      // A refund ended while the list was polled, so the figures above it are stale.
      const awaited = new Set(before?.items.filter(isRefunding).map(({ id }) => id));
      if (list.items.some((payin) => awaited.has(payin.id) && !isRefunding(payin))) {
        void client.invalidateQueries({ queryKey: payinKeys.allTotals });
        refreshTopBar();
      }
      return list;
    },
    enabled: !isBeforeVisible(filters),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data?.items.some(isRefunding) ? refundingPollMs : false,
  });
}

export function payinTotalsQuery(filters: PayinFilters) {
  return queryOptions({
    queryKey: payinKeys.totals(filters),
    queryFn: ({ signal }) => call(readPayinTotals, { query: wire(filters), signal }),
    enabled: !isBeforeVisible(filters),
    placeholderData: keepPreviousData,
  });
}

export function payinQuery(id: string) {
  return queryOptions({
    queryKey: payinKeys.one(id),
    queryFn: ({ signal }) => call(readPayin, { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data && isRefunding(state.data) ? refundingPollMs : false,
  });
}

export function payinRefundsQuery(id: string) {
  return queryOptions({
    queryKey: payinKeys.refunds(id),
    queryFn: ({ signal }) => call(listPayinRefunds, { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data?.items.some(({ status }) => status === "processing")
        ? refundingPollMs
        : false,
  });
}

export function useRefundPayin() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, amount, idempotencyKey }: { id: string; amount: number; idempotencyKey: string }) =>
      call(refundPayin, { params: { id }, body: { amount }, idempotencyKey }),
    // Also after a refusal: it means that the payin changed elsewhere meanwhile.
    onSettled: () => {
      refreshTopBar();
      void queryClient.invalidateQueries({ queryKey: payinKeys.all });
    },
  });
}

/** The download carries the session's token, so there is no address that opens the file by itself. */
export const fetchPayinReceipt = (id: string): Promise<Blob> =>
  call(downloadPayinReceipt, { params: { id } });
export const fetchRefundReceipt = (id: string, refund_id: string): Promise<Blob> =>
  call(downloadRefundReceipt, { params: { id, refund_id } });

export const payinReport = (filters: PayinFilters): Report => ({
  ask: () => call(requestPayinReport, { body: wire(filters) }),
  read: (id) => call(readPayinReport, { params: { id } }),
  fetch: (id) => call(downloadPayinReport, { params: { id } }),
});
