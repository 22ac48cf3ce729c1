import { listWaitingBatches } from "@malote/contracts/batches";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/** Below the query key of all batches, so that a change of a batch invalidates this list too. */
export const waitingBatchesQuery = queryOptions({
  queryKey: ["batches", "waiting"],
  queryFn: ({ signal }) => call(listWaitingBatches, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : 30_000),
});
