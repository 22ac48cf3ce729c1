import { countWork, readHome } from "@malote/contracts/home";
import { depositBalance } from "@malote/contracts/statement";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

const pollMs = 60_000;

/** Below the batches' query key, because a change of a batch changes the work. An error stops the polling (SES-070). */
export const homeQuery = queryOptions({
  queryKey: ["batches", "list", "home"],
  queryFn: ({ signal }) => call(readHome, { signal }),
  refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
});

export const workCountQuery = queryOptions({
  queryKey: ["batches", "list", "home-count"],
  queryFn: ({ signal }) => call(countWork, { signal }),
  refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
});

/** Pix code for exactly this amount; null while the company has no key. */
export const fundingCodeQuery = (value: number) =>
  queryOptions({
    queryKey: ["funding-code", value],
    queryFn: async ({ signal }) =>
      (await call(depositBalance, { body: { value }, signal })).pix_qrcode_emv_payload,
  });
