import { type CheckpointId, createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** Whether this person did it once (FST-021). It never becomes undone, so it is asked for once. */
export function checkpointQuery(id: CheckpointId) {
  return queryOptions({
    queryKey: ["checkpoint", id],
    queryFn: async ({ signal }) => (await call(readCheckpoint, { params: { id }, query: {}, signal })).exists,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** FST-022. FST-025: a failure is reported by the call itself and keeps nobody from anything. */
export async function recordCheckpoint(id: CheckpointId): Promise<void> {
  await call(createCheckpoint, { body: { location: id } }).catch(() => undefined);
}
