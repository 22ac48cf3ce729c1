import {
  type batchFilters,
  createBatch,
  listBatches,
  readBatchesBlankslate,
} from "@malote/contracts/batches";
import { listPaymentAccounts } from "@malote/contracts/company";
import type { BatchStatus } from "@malote/domain/batch";
import type { BatchType } from "@malote/domain/batch-status";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call, errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useSession } from "../shell/session.ts";
import { daysOfMonth, formatDate, type Month, todayIn } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { madeHere } from "./made-here.ts";

export type BatchFilter = (typeof batchFilters)[number];

export interface BatchFilters {
  month: Month;
  status: BatchFilter | null;
  search: string;
  /** Page number, counted from 0. */
  page: number;
}

/** Polling interval, while visible, of a page that waits for another person. */
export const approvalPollMs = 5_000;

/** Refetches the cards while a batch is closing (BAT-008). */
export const closingPollMs = 2_000;

export const batchKeys = {
  all: ["batches"] as const,
  list: (filters: BatchFilters) => [...batchKeys.all, "list", filters] as const,
  blankslate: () => [...batchKeys.all, "blankslate"] as const,
  one: (id: string) => [...batchKeys.all, "one", id] as const,
  summary: (id: string) => [...batchKeys.one(id), "summary"] as const,
  checks: (id: string) => [...batchKeys.one(id), "checks"] as const,
  findings: (id: string) => [...batchKeys.one(id), "findings"] as const,
  issues: (id: string) => [...batchKeys.one(id), "issues"] as const,
};

export function batchListQuery(filters: BatchFilters) {
  const { month, status, search, page } = filters;
  return queryOptions({
    queryKey: batchKeys.list(filters),
    queryFn: ({ signal }) =>
      call(listBatches, {
        query: { ...daysOfMonth(month), page, ...(status && { status }), ...(search && { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      // An error stops the polling (SES-070).
      if (query.state.status === "error") return false;
      const isSome = (status: BatchStatus) => query.state.data?.data.some((batch) => batch.status === status);
      if (isSome("PENDING")) return closingPollMs;
      return isSome("WAITING_APPROVAL") ? approvalPollMs : false;
    },
  });
}

export const blankslateQuery = queryOptions({
  queryKey: batchKeys.blankslate(),
  queryFn: ({ signal }) => call(readBatchesBlankslate, { signal }),
});

/** Accounts of the company at the provider, which receive its balance. Prefetched on entering (SES-010). */
export const paymentAccountsQuery = queryOptions({
  queryKey: ["payment-accounts"],
  queryFn: ({ signal }) => call(listPaymentAccounts, { signal }),
});

/**
 * Creates a draft. The id is generated on the click, so a repeated call opens the same draft instead of a second one.
 */
function useStartBatch() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { id: string; name: string; type: BatchType }) => call(createBatch, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: batchKeys.all }),
  });
}

/** Button 'Novo lote' of any page (BAT-013, BAT-014). `openId` is the batch that is open above the page. */
export function useNewBatch(openId: string | undefined, onStarted: (id: string) => void) {
  const session = useSession();
  const start = useStartBatch();
  const drafts = useRef<Partial<Record<BatchType, string>>>({});
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !openId) drafts.current = {};
    wasOpen.current = Boolean(openId);
  }, [openId]);

  function startBatch(type: BatchType) {
    // BAT-014: no batch can be started before the contract is accepted.
    if (!session?.company.acceptedContract) return;
    // Reuses the id until the draft was opened and left, so a second click creates no second batch.
    drafts.current[type] ??= newId();
    const id = drafts.current[type];
    start.mutate(
      { id, type, name: `Lote de ${formatDate(todayIn())}` },
      {
        onSuccess: (made) => {
          madeHere.set(id, made);
          onStarted(id);
        },
        onError: (error) => {
          const text = errorSentence(error, "Não foi possível criar o lote.");
          if (text) toast.bad(text);
        },
      },
    );
  }
  return { isStarting: start.isPending, startBatch };
}
