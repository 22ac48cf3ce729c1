import {
  addBoleto,
  type BoletoInput,
  type BoletoPageFilter,
  changeBoleto,
  listAllBoletos,
  listBoletos,
  listBoletosWithReceipts,
  readBoletoDetails,
  readBoletosBlankslate,
  readDuplicatedBoleto,
  refundBoleto,
  removeBoleto,
} from "@malote/contracts/boletos";
import type { ResponseOf } from "@malote/contracts/contract";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import { filterQuery, type PaymentFilters, paymentKeys, useRefreshPayments } from "../payments/index.ts";
import { call } from "../shell/call.ts";
import { notKept } from "../shell/query-client.ts";
import { systemNow } from "../ui/system-time.ts";
import type { BoletoFilter } from "./boleto-status.ts";

export interface BoletoFilters {
  status: BoletoFilter | null;
  search: string;
}

/** A job queries the register about new boletos of a draft; the answer brings payee and price. */
const registerPollMs = 1_000;
/** Stops polling after this time: the register may be silent for hours. */
const registerWaitMs = 120_000;

export const awaitsRegister = ({ data }: ResponseOf<typeof listBoletos>): boolean =>
  data.some(
    ({ register, status, errors, created_at }) =>
      register === null &&
      status === "CREATED" &&
      errors.length === 0 &&
      systemNow().getTime() - Date.parse(created_at) < registerWaitMs,
  );

/** One page of 50. Each page is its own query, so a change refetches only the visible pages. */
export function boletoPageQuery(
  batchId: string,
  { status, search }: BoletoFilters,
  page: number,
  { pollMs }: { pollMs: number | false },
) {
  return queryOptions({
    queryKey: paymentKeys.page(batchId, { status, search }, page),
    queryFn: ({ signal }) =>
      call(listBoletos, {
        params: { id: batchId },
        query: { page, ...(status && { status }), ...(search && { search }) },
        signal,
      }),
    // An error stops the polling (SES-070).
    refetchInterval: (query) => {
      if (query.state.status === "error") return false;
      return query.state.data && awaitsRegister(query.state.data) ? registerPollMs : pollMs;
    },
    ...(page === 0 && { placeholderData: keepPreviousData }),
  });
}

/** BIL-032: reads the boletos of all batches. */
export function allBoletosQuery(filters: PaymentFilters<BoletoPageFilter>, page: number) {
  return queryOptions({
    queryKey: paymentKeys.list("BILLET", filters, page),
    queryFn: ({ signal }) => call(listAllBoletos, { query: { ...filterQuery(filters), page }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** BIL-034: true when the first-use state is shown. */
export const boletosBlankslateQuery = queryOptions({
  queryKey: paymentKeys.blankslate("BILLET"),
  queryFn: ({ signal }) => call(readBoletosBlankslate, { signal }),
});

/** BIL-035: ids of the boletos that have a receipt. */
export const receiptsOfBoletosQuery = (filters: PaymentFilters<BoletoPageFilter>) => ({
  queryKey: paymentKeys.withReceipts("BILLET", filters),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listBoletosWithReceipts, { query: filterQuery(filters), signal })).data.map(({ id }) => id),
});

export function boletoQuery(id: string) {
  return queryOptions({
    ...notKept,
    queryKey: paymentKeys.one(id),
    queryFn: ({ signal }) => call(readBoletoDetails, { params: { id }, signal }),
  });
}

/** BIL-013. Each form asks again, because another form may have saved the code a minute ago. */
export function duplicateQuery(billetId: string, barcode: string | undefined) {
  return queryOptions({
    queryKey: ["billets", "duplicated", billetId, barcode],
    queryFn: ({ signal }) =>
      call(readDuplicatedBoleto, { query: { id: billetId, barcode: barcode ?? "" }, signal }),
    enabled: barcode !== undefined,
    staleTime: 0,
  });
}

interface SaveRequest {
  /** Generated when the form opened: a repeated save is the same boleto. */
  id: string;
  isNew: boolean;
  body: BoletoInput;
}

export function useSaveBoleto(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: ({ id, isNew, body }: SaveRequest) =>
      call(isNew ? addBoleto : changeBoleto, { params: { id: batchId }, body: { ...body, id } }),
    // Also after a refusal: it means that the boleto changed elsewhere while this screen was open.
    onSettled: () => void refresh(),
  });
}

/** Deletes a boleto of a draft, or cancels a scheduled one (BIL-022, BIL-028). */
export function useRemoveBoleto(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: ({ billetId, idempotencyKey }: { billetId: string; idempotencyKey: string }) =>
      call(removeBoleto, { params: { id: batchId, billetId }, idempotencyKey }),
    onSettled: refresh,
  });
}

export function useRefundBoleto(batchId: string) {
  const refresh = useRefreshPayments(batchId);
  return useMutation({
    mutationFn: ({ billetId, idempotencyKey }: { billetId: string; idempotencyKey: string }) =>
      call(refundBoleto, { params: { id: batchId, billetId }, idempotencyKey }),
    onSettled: refresh,
  });
}
