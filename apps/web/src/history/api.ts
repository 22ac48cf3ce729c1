import {
  type History,
  type HistoryMoment,
  readPayinHistory,
  readPaymentHistory,
} from "@malote/contracts/history";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/**
 * These moments follow by themselves, at once when the network answers immediately; an error stops polling (SES-070).
 */
const movingPollMs = 5_000;
/** The history stores an event within a second, unless an earlier one failed. */
const latePollMs = 2_000;
const moving: ReadonlySet<HistoryMoment> = new Set([
  "batch.approved",
  "batch.closed",
  "batch.released",
  "payment.sent",
  "payment.sent_again",
  "payin.refund_asked",
]);

/** Newest first. */
function pagesOf(
  key: readonly unknown[],
  contract: typeof readPaymentHistory | typeof readPayinHistory,
  id: string,
) {
  return infiniteQueryOptions({
    queryKey: [...key, "history"],
    queryFn: ({ signal, pageParam }): Promise<History> =>
      call(contract, { params: { id }, query: { page: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ metadata: { pagination } }, _pages, page) =>
      (page + 1) * pagination.itemsPerPage < pagination.totalItems ? page + 1 : undefined,
    refetchInterval: ({ state: { status, data } }) => {
      const [first] = data?.pages ?? [];
      const newest = first?.items[0];
      if (status === "error") return false;
      if (first?.missing === "late") return latePollMs;
      return newest && moving.has(newest.what) ? movingPollMs : false;
    },
  });
}

/** `key`: query key of the object itself, so that whatever invalidates it invalidates its history. */
export const paymentHistoryQuery = (key: readonly unknown[], id: string) =>
  pagesOf(key, readPaymentHistory, id);
export const payinHistoryQuery = (key: readonly unknown[], id: string) => pagesOf(key, readPayinHistory, id);
