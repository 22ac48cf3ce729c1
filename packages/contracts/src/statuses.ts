/**
 * HTTP statuses with which a call may refuse. The OpenAPI file lists them, and a proof compares every answer with them.
 */
import type { Contract } from "./contract.ts";

export function refusalStatuses(contract: Contract): number[] {
  const { policy, method, params, query, transport, counted, continued } = contract;
  const isWriting = method !== "GET";
  // The path, or the day in the query, names one record.
  const namesOne = params !== undefined || (query !== undefined && "date" in query.shape);
  const statuses = [
    ...(params || query || isWriting ? [400] : []),
    ...(policy.access === "session" ? [401, 403] : []),
    // A sign-in call may refuse the password or the secret.
    ...(policy.access === "public" && isWriting ? [401, 403] : []),
    ...(policy.access === "simulator" ? [403] : []),
    // A file may not exist yet, or may have been removed.
    ...(namesOne || isWriting || transport === "file" ? [404] : []),
    ...(isWriting || continued ? [409] : []),
    ...(isWriting ? [413, 415] : []),
    ...(isWriting || counted ? [422] : []),
    // Files are generated one after another. Attempts are limited too, including those of strangers who guess public
    // addresses.
    ...(isWriting || transport === "file" || counted || (policy.access === "public" && namesOne)
      ? [429]
      : []),
    500,
    503,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}
