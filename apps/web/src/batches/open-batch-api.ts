/** Calls of one open batch. Those of the list are in api.ts, so that the list loads without these. */

import {
  downloadBadRows,
  fixIssueGroup,
  listIssueGroups,
  listIssueRows,
} from "@malote/contracts/batch-issues";
import {
  approveBatch,
  cancelScheduledBatch,
  closeBatch,
  deleteBatch,
  enableBatchEdit,
  readBatchApprovals,
  readReceiversToRemove,
  rejectBatch,
  sendBatchToApproval,
  setBatchReconciled,
} from "@malote/contracts/batch-life";
import {
  type Batch,
  downloadBatchReport,
  listBoletosWithReceipt,
  listTransfersWithReceipt,
  readBatch,
  readBatchSummary,
  readHasFailed,
  renameBatch,
  requestBatchReport,
  saveBatch,
  validateBatch,
} from "@malote/contracts/batches";
import { type Check, confirmBatchChecks, readBatchChecks, readCheckFindings } from "@malote/contracts/checks";
import type { BodyOf, ResponseOf } from "@malote/contracts/contract";
import type { BatchStatus } from "@malote/domain/batch";
import { hashKey, queryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { hasFilledFirstSteps } from "../first-steps/index.ts";
import { paymentKeys } from "../payments/index.ts";
import { refreshTopBar } from "../shell/balance.ts";
import { call, errorSentence } from "../shell/call.ts";
import type { Session } from "../shell/session.ts";
import { toast } from "../ui/toasts.tsx";
import { approvalPollMs, batchKeys, closingPollMs } from "./api.ts";

type Moving = Pick<Batch, "status"> &
  Partial<Pick<Batch, "payments_count" | "paid_count" | "failed_count" | "returned_count">>;

/** Statuses that may change without an action on this screen. */
const unfinished: ReadonlySet<BatchStatus> = new Set(["VALIDATING", "PENDING", "WAITING", "RECEIVED"]);

/** A batch whose last payment is settled no longer changes. */
export function isUnfinished(batch: Moving): boolean {
  if (!unfinished.has(batch.status)) return false;
  if (batch.status !== "RECEIVED") return true;
  const { payments_count = 1, paid_count = 0, failed_count = 0, returned_count = 0 } = batch;
  return paid_count + failed_count + returned_count < payments_count;
}

/** Approvals given and missing; used only when the company requires approvals. */
export const batchApprovalsQuery = (id: string) =>
  queryOptions({
    queryKey: [...batchKeys.one(id), "approvals"],
    queryFn: ({ signal }) => call(readBatchApprovals, { params: { id }, signal }),
  });

/** The open batch, fetched again every 2 seconds while it is unfinished; an error stops that (BAT-008, SES-070). */
export function batchQuery(id: string) {
  return queryOptions({
    queryKey: [...batchKeys.one(id), "batch"],
    queryFn: ({ signal }) => call(readBatch, { params: { id }, signal }),
    refetchInterval: (query) => {
      const { status, data } = query.state;
      if (status === "error" || !data) return false;
      if (isUnfinished(data)) return closingPollMs;
      return data.status === "WAITING_APPROVAL" ? approvalPollMs : false;
    },
  });
}
export type OpenBatch = ResponseOf<typeof readBatch>;

export function batchSummaryQuery(id: string) {
  return queryOptions({
    queryKey: batchKeys.summary(id),
    queryFn: ({ signal }) => call(readBatchSummary, { params: { id }, signal }),
  });
}

export function batchChecksQuery(id: string) {
  return queryOptions({
    queryKey: batchKeys.checks(id),
    queryFn: ({ signal }) => call(validateBatch, { params: { id }, signal }),
  });
}

export function batchFindingsQuery(id: string) {
  return queryOptions({
    queryKey: batchKeys.findings(id),
    queryFn: ({ signal }) => call(readBatchChecks, { params: { id }, signal }),
    // The checks compare with other batches, which other people close meanwhile.
    staleTime: 0,
  });
}

/** Findings after those that came with their check, one page per request. */
export function useMoreFindings(id: string, { kind, fingerprint, next }: Check) {
  const queryClient = useQueryClient();
  const pages = useInfiniteQuery({
    queryKey: [...batchKeys.findings(id), kind, fingerprint],
    queryFn: ({ signal, pageParam }) =>
      call(readCheckFindings, {
        params: { id, kind },
        query: pageParam === null ? {} : { page_cursor: pageParam },
        signal,
      }),
    initialPageParam: next,
    getNextPageParam: ({ meta }) => meta.next,
    // Runs only when the person presses the button.
    enabled: false,
  });
  return {
    findings: pages.data?.pages.flatMap(({ data }) => data) ?? [],
    busy: pages.isFetching,
    async fetch() {
      const { error } = await pages.fetchNextPage();
      if (!error) return;
      const text = errorSentence(error, "Não foi possível mostrar os outros pagamentos. Tente de novo.");
      if (text) toast.bad(text);
      // The findings may have changed, so the list is fetched again.
      await queryClient.invalidateQueries({ queryKey: batchKeys.findings(id), exact: true });
    },
  };
}

/** Confirms checks; the call answers with the updated list. */
export function useConfirmChecks(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (confirmations: BodyOf<typeof confirmBatchChecks>["confirmations"]) =>
      call(confirmBatchChecks, { params: { id }, body: { confirmations } }),
    onSuccess: (checks) => queryClient.setQueryData(batchKeys.findings(id), checks),
    onError: () => queryClient.invalidateQueries({ queryKey: batchKeys.findings(id) }),
  });
}

/** BAT-026: whether the alert about failed payments shows. */
export function hasFailedQuery(id: string) {
  return queryOptions({
    queryKey: [...batchKeys.one(id), "has-failed"],
    queryFn: async ({ signal }) => (await call(readHasFailed, { params: { id }, signal })).data,
  });
}

export function issueGroupsQuery(id: string) {
  return queryOptions({
    queryKey: batchKeys.issues(id),
    queryFn: ({ signal }) => call(listIssueGroups, { params: { id }, signal }),
  });
}
export type IssueGroup = ResponseOf<typeof listIssueGroups>["data"][number];

/** Key of a group, as the call that fixes it takes it. */
export const keyOfGroup = ({ issue: { code, field }, given, receiver }: IssueGroup) => ({
  code,
  field,
  given,
  receiver,
});

/** Payments of a group, each with its proposal. Never cached, because another fix may have removed some. */
export function issueRowsQuery(id: string, group: IssueGroup) {
  const { code, field, given, receiver } = keyOfGroup(group);
  return queryOptions({
    queryKey: [...batchKeys.issues(id), "rows", code, field, given, receiver],
    queryFn: ({ signal }) =>
      call(listIssueRows, {
        params: { id },
        query: { code, field, ...(given !== null && { given }), ...(receiver !== null && { receiver }) },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Number of payments of the batch whose receipt is available now. */
export function receiptsQuery({ id, type }: Pick<Batch, "id" | "type">) {
  const list = type === "BILLET" ? listBoletosWithReceipt : listTransfersWithReceipt;
  return queryOptions({
    queryKey: [...batchKeys.one(id), "receipts"],
    queryFn: async ({ signal }) =>
      (await call(list, { params: { id }, signal })).metadata.pagination.totalItems,
    // Payments settle while the batch is open, so the number of available receipts is fetched each time.
    staleTime: 0,
  });
}

/** BAT-033: true when first steps are filled; otherwise the wizard opens at them. */
export function firstStepsQuery(session: Session) {
  return queryOptions({
    queryKey: ["first-steps-filled", session.company.id],
    queryFn: () => hasFilledFirstSteps(session),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Invalidates a changed batch with every list of batches, its payments and the balance. */
export function useRefreshBatch(id: string) {
  const queryClient = useQueryClient();
  return async () => {
    refreshTopBar();
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: batchKeys.all }),
      queryClient.invalidateQueries({ queryKey: paymentKeys.ofBatch(id) }),
    ]);
  };
}

/** Every change invalidates the same queries, also after a refusal, which means that the batch changed elsewhere. */
function useBatchChange<Given, Answer>(id: string, change: (given: Given) => Promise<Answer>) {
  const refresh = useRefreshBatch(id);
  return useMutation({ mutationFn: change, onSettled: refresh });
}

const to = (id: string) => ({ params: { id } });

export const useSaveBatch = (id: string) =>
  useBatchChange(id, (body: { name: string }) => call(saveBatch, { ...to(id), body }));

export const useRenameBatch = (id: string) =>
  useBatchChange(id, (name: string) => call(renameBatch, { ...to(id), body: { name } }));

export const useCloseBatch = (id: string) =>
  useBatchChange(
    id,
    ({ revision, digest, idempotencyKey }: { revision: number; digest?: string; idempotencyKey: string }) =>
      digest === undefined
        ? call(closeBatch, { ...to(id), body: { revision }, idempotencyKey })
        : call(approveBatch, { ...to(id), body: { revision, digest }, idempotencyKey }),
  );

export const useSendToApproval = (id: string) =>
  useBatchChange(id, (revision: number) => call(sendBatchToApproval, { ...to(id), body: { revision } }));

export const useRejectBatch = (id: string) =>
  useBatchChange(id, (reason: string) =>
    call(rejectBatch, { ...to(id), body: reason.trim() ? { reason: reason.trim() } : {} }),
  );

export const useEnableEdit = (id: string) =>
  useBatchChange(id, (_: undefined) => call(enableBatchEdit, to(id)));

/** BAT-071: receivers that could be removed with the draft. */
export function receiversToRemoveQuery(id: string) {
  return queryOptions({
    queryKey: [...batchKeys.one(id), "receivers-to-remove"],
    queryFn: async ({ signal }) => (await call(readReceiversToRemove, { ...to(id), signal })).data,
    // Other screens save receivers too, so the answer is never cached.
    staleTime: 0,
  });
}

/** Deletes a batch and drops it from the cache, so that no old address shows it. */
export function useDeleteBatch(id: string) {
  const queryClient = useQueryClient();
  const refresh = useRefreshBatch(id);
  const own = hashKey(batchKeys.one(id));
  const remove = useMutation({
    mutationFn: (removesReceivers: boolean) =>
      call(deleteBatch, {
        ...to(id),
        query: { removeDestinationBankAccounts: removesReceivers ? "true" : "false" },
      }),
    onError: refresh,
    // A refetch would report the batch as missing, in place of the message that it was deleted.
    onSuccess: () => {
      refreshTopBar();
      return queryClient.invalidateQueries({
        queryKey: batchKeys.all,
        predicate: ({ queryKey }) => hashKey(queryKey.slice(0, batchKeys.one(id).length)) !== own,
      });
    },
  });
  return {
    ...remove,
    /** Called once the batch's screen has closed. */
    forget: () => queryClient.removeQueries({ queryKey: batchKeys.one(id) }),
  };
}

export const useCancelBatch = (id: string) =>
  useBatchChange(id, (idempotencyKey: string) => call(cancelScheduledBatch, { ...to(id), idempotencyKey }));

export const useReconcileBatch = (id: string) =>
  useBatchChange(id, (reconciled: boolean) => call(setBatchReconciled, { ...to(id), body: { reconciled } }));

export const useFixIssueGroup = (id: string) =>
  useBatchChange(id, (body: BodyOf<typeof fixIssueGroup>) => call(fixIssueGroup, { ...to(id), body }));

/** BAT-027: requests the report, then downloads it with the session's token. */
export async function fetchReport(id: string): Promise<Blob> {
  await call(requestBatchReport, to(id));
  return call(downloadBatchReport, { ...to(id), query: { format: "xlsx" } });
}

export const fetchBadRows = (id: string): Promise<Blob> =>
  call(downloadBadRows, { ...to(id), query: { format: "xlsx" } });
