/**
 * With which statuses a call may refuse. The OpenAPI file prints them, and a proof compares every answer with them.
 */
import type { Contract } from "./contract.ts";

export function refusalStatuses(contract: Contract): number[] {
  const { policy, method, params, query, transport, counted, continued } = contract;
  const isWriting = method !== "GET";
  // A record is named by the path, or by its day.
  const namesOne = params !== undefined || (query !== undefined && "date" in query.shape);
  const statuses = [
    ...(params || query || isWriting ? [400] : []),
    ...(policy.access === "session" ? [401, 403] : []),
    // The password or the secret that a sign-in is made with.
    ...(policy.access === "public" && isWriting ? [401, 403] : []),
    ...(policy.access === "simulator" ? [403] : []),
    // A file may not be uploaded yet, or be removed already.
    ...(namesOne || isWriting || transport === "file" ? [404] : []),
    ...(isWriting || continued ? [409] : []),
    ...(isWriting ? [413, 415] : []),
    ...(isWriting || counted ? [422] : []),
    // Files are made one after another; tries are counted, also those of strangers who guess public addresses.
    ...(isWriting || transport === "file" || counted || (policy.access === "public" && namesOne)
      ? [429]
      : []),
    500,
    503,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}
