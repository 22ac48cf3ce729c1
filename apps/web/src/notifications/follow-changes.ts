/**
 * Reads the stream of changes and invalidates the queries they concern. Every page works without it, by its own
 * polling.
 */
import type { ResponseOf } from "@malote/contracts/contract";
import { type ChangeTopic, watchChanges } from "@malote/contracts/notifications";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/** Query keys that a change invalidates; of an open batch only its head, because a person may be typing in its rows. */
const keysOf: Readonly<Record<ChangeTopic, readonly QueryKey[]>> = {
  batch: [["batches", "list"], ["batches", "waiting"], ["balance"], ["statement"], ["approval-requests"]],
  payment: [["batches", "list"], ["balance"], ["statement"]],
  payin: [["payins"], ["card-receivables"], ["balance"], ["statement"]],
  infraction: [["infractions"], ["balance"]],
  pix_key: [["pix-keys"], ["payment-accounts"]],
  company: [["controls"], ["limits"]],
  approval_request: [["approval-requests"]],
  export: [["files"], ["reports"], ["receipts"]],
  invoice: [["billing"]],
};
const always: readonly QueryKey[] = [
  ["notifications"],
  ["batches", "list", "home"],
  ["batches", "list", "home-count"],
];

const isOpenBatch = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey[0] === "batches" &&
  queryKey[1] === "one" &&
  (queryKey[3] === "batch" || queryKey[3] === "approvals");

export function readAgain(queryClient: QueryClient, topics: readonly ChangeTopic[]): void {
  if (topics.includes("batch")) void queryClient.invalidateQueries({ predicate: isOpenBatch });
  const keys = [...topics.flatMap((topic) => keysOf[topic]), ...always];
  const distinct = new Map(keys.map((queryKey) => [queryKey.join(), queryKey]));
  for (const queryKey of distinct.values()) void queryClient.invalidateQueries({ queryKey });
}

const againMs = 1_000;

/** Reads one answer of the server to its end. Returns after how long to connect again. */
export async function readChanges(
  onChange: (topics: readonly ChangeTopic[]) => void,
  signal: AbortSignal,
): Promise<number> {
  const body = await call(watchChanges, { signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let wait = againMs;
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (rest + part.value).split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const said = /^retry: (\d+)$/m.exec(message)?.[1];
      if (said) wait = Number(said);
      const data = /^data: (.+)$/m.exec(message)?.[1];
      if (data) onChange((JSON.parse(data) as ResponseOf<typeof watchChanges>).topics);
    }
  }
  return wait;
}
