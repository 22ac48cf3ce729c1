import {
  type Failure,
  type FailureOutcomes,
  type Failures,
  listFailureNotices,
  listFailures,
  resendFailures,
  returnFailures,
} from "@malote/contracts/failures";
import { failuresAtOnce } from "@malote/domain/limits";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { paymentKeys, useRefreshPayments } from "../payments/index.ts";
import { refreshTopBar } from "../shell/balance.ts";
import { call } from "../shell/call.ts";

/** Stale whenever the payments of the batch are; polled with them while they move. */
export const failuresQuery = (batchId: string, pollMs: number | false) =>
  queryOptions({
    queryKey: [...paymentKeys.ofBatch(batchId), "failures"],
    queryFn: ({ signal }): Promise<Failures> => call(listFailures, { params: { id: batchId }, signal }),
    refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
  });

const noticePollMs = 60_000;

/** Stale whenever the lists of batches are. An error stops the polling (SES-070). */
export const failureNoticesQuery = queryOptions({
  queryKey: ["batches", "list", "failure-notices"],
  queryFn: ({ signal }) => call(listFailureNotices, { signal }),
  refetchInterval: (query) => (query.state.status === "error" ? false : noticePollMs),
});

export type Way = "retry" | "give_back";
const calls = { retry: resendFailures, give_back: returnFailures } as const;

/**
 * Sends calls of a hundred payments. Each key belongs to one action: a retry after a lost answer returns the first
 * result.
 */
export function useResolveFailures(
  batchId: string,
  way: Way,
  /** Shown by the batch, not by the list: with its last failure the list, and its dialog, leave the screen. */
  says: { onSuccess: (outcomes: FailureOutcomes) => void; onError: (error: Error) => void },
) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    ...says,
    mutationFn: async ({ chosen, key }: { chosen: readonly Failure[]; key: string }) => {
      const all: FailureOutcomes = { data: [], value: 0 };
      for (let from = 0; from < chosen.length; from += failuresAtOnce) {
        const part = chosen.slice(from, from + failuresAtOnce);
        const done = await call(calls[way], {
          params: { id: batchId },
          body: {
            ids: part.map(({ id }) => id),
            versions: Object.fromEntries(part.map(({ id, version }) => [id, version])),
          },
          idempotencyKey: `${key}-${from}`,
        });
        all.data.push(...done.data);
        all.value += done.value;
      }
      return all;
    },
    onSettled: () => {
      refreshTopBar();
      return refresh();
    },
  });
}
