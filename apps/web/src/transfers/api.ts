import { listAccountTypes, listBanks, readBank, readDefaultPaymentMethod } from "@malote/contracts/company";
import {
  addTransfer,
  changeTransfer,
  listAllTransfers,
  listFailedOfReceiver,
  listFailedTransferIds,
  listTransfers,
  listTransfersWithReceipts,
  readBlacklist,
  readTransfer,
  readTransfersBlankslate,
  refundTransfer,
  removeTransfer,
  removeTransfers,
  type TransferInput,
  type TransferPageFilter,
  type transferFilters,
} from "@malote/contracts/transfers";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { filterQuery, type PaymentFilters, paymentKeys, useRefreshPayments } from "../payments/index.ts";
import { call } from "../shell/call.ts";
import { notKept } from "../shell/query-client.ts";

export type TransferFilter = (typeof transferFilters)[number];

export interface TransferFilters {
  status: TransferFilter | null;
  search: string;
}

interface PageOptions {
  /** Polling interval while payments are pending; an error stops it (SES-070). */
  pollMs: number | false;
}

/** One page of 50. Each page is its own query, so a change refetches only the visible pages. */
export function transferPageQuery(
  batchId: string,
  { status, search }: TransferFilters,
  page: number,
  { pollMs }: PageOptions,
) {
  return queryOptions({
    queryKey: paymentKeys.page(batchId, { status, search }, page),
    queryFn: ({ signal }) =>
      call(listTransfers, {
        params: { id: batchId },
        query: { page, ...(status && { status }), ...(search && { search }) },
        signal,
      }),
    refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
    ...(page === 0 && { placeholderData: keepPreviousData }),
  });
}

/** TRF-051: reads the transfers of all batches. */
export function allTransfersQuery(filters: PaymentFilters<TransferPageFilter>, page: number) {
  return queryOptions({
    queryKey: paymentKeys.list("TRANSFER", filters, page),
    queryFn: ({ signal }) => call(listAllTransfers, { query: { ...filterQuery(filters), page }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** TRF-053: true when the first-use state is shown. */
export const transfersBlankslateQuery = queryOptions({
  queryKey: paymentKeys.blankslate("TRANSFER"),
  queryFn: ({ signal }) => call(readTransfersBlankslate, { signal }),
});

/** TRF-063: ids of the transfers that have a receipt. */
export const receiptsOfTransfersQuery = (filters: PaymentFilters<TransferPageFilter>) => ({
  queryKey: paymentKeys.withReceipts("TRANSFER", filters),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listTransfersWithReceipts, { query: filterQuery(filters), signal })).data.map(({ id }) => id),
});

export function transferQuery(id: string) {
  return queryOptions({
    ...notKept,
    queryKey: paymentKeys.one(id),
    queryFn: ({ signal }) => call(readTransfer, { params: { id }, signal }),
  });
}

/**
 * Banks and blocked documents are cached until logout or a change of application, also while no screen shows them
 * (SES-078).
 */
const untilLogout = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

export const banksQuery = queryOptions({
  queryKey: ["banks"],
  queryFn: ({ signal }) => call(listBanks, { signal }),
  ...untilLogout,
});

/** SET-027, SET-028: one bank by its ISPB, with the account types it accepts. */
export const bankQuery = (ispb: string) =>
  queryOptions({
    queryKey: ["banks", "one", ispb],
    queryFn: ({ signal }) => call(readBank, { params: { id: ispb }, signal }),
    ...untilLogout,
    enabled: ispb !== "",
  });

export const accountTypesQuery = (ispb: string) =>
  queryOptions({
    queryKey: ["banks", "account-types", ispb],
    queryFn: async ({ signal }) => (await call(listAccountTypes, { params: { id: ispb }, signal })).data,
    ...untilLogout,
    enabled: ispb !== "",
  });

/** SET-030: method by which an account of this bank is paid without a Pix key. */
export const paymentMethodQuery = (bankCode: string | null | undefined) =>
  queryOptions({
    queryKey: ["banks", "payment-method", bankCode],
    queryFn: async ({ signal }) =>
      (await call(readDefaultPaymentMethod, { query: { bankCode: bankCode ?? "" }, signal })).payment_method,
    ...untilLogout,
    enabled: Boolean(bankCode),
  });

export const blacklistQuery = queryOptions({
  queryKey: ["blacklist"],
  queryFn: async ({ signal }) => new Set((await call(readBlacklist, { signal })).data),
  ...untilLogout,
});

export function failedOfReceiverQuery(batchId: string, receiverId: string) {
  return queryOptions({
    queryKey: [...paymentKeys.ofBatch(batchId), "failed-of", receiverId],
    queryFn: ({ signal }) =>
      call(listFailedOfReceiver, { params: { id: batchId, dbaId: receiverId }, signal }),
  });
}

interface SaveRequest {
  /** Generated when the form opened: a repeated save is the same payment. */
  id: string;
  isNew: boolean;
  body: TransferInput;
}

export function useSaveTransfer(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: ({ id, isNew, body: draft }: SaveRequest) => {
      const body = { ...draft, id };
      return isNew
        ? call(addTransfer, { params: { id: batchId }, body })
        : call(changeTransfer, { params: { id: batchId, tid: id }, body });
    },
    // Also after a refusal: it means that the payment changed elsewhere while this screen was open. Not
    // awaited: a repaired row leaves the list with the fresh data, and its panel must receive the success
    // before that.
    onSettled: () => void refresh(),
  });
}

export function useRemoveTransfer(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: (tid: string) => call(removeTransfer, { params: { id: batchId, tid } }),
    onSettled: refresh,
  });
}

/** Failed payments that 'Excluir falhas' would remove from a draft, of transfers or of boletos. */
export const failedPaymentsQuery = (batchId: string) =>
  queryOptions({
    ...notKept,
    queryKey: paymentKeys.failed(batchId),
    queryFn: ({ signal }) => call(listFailedTransferIds, { params: { id: batchId }, signal }),
  });

/** Removes all failed payments; a page lists only the first of them. */
export function useRemoveFailedTransfers(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: async () => {
      const params = { id: batchId };
      const { ids } = await call(listFailedTransferIds, { params });
      return call(removeTransfers, { params, body: { ids } });
    },
    onSettled: refresh,
  });
}

export function useRefundTransfer(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: ({ tid, idempotencyKey }: { tid: string; idempotencyKey: string }) =>
      call(refundTransfer, { params: { id: batchId, tid }, idempotencyKey }),
    onSettled: refresh,
  });
}
