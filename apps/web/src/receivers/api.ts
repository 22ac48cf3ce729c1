import {
  changeReceiver,
  createReceiver,
  listReceivers,
  type ReceiverStatus,
  readReceiver,
  removeReceiver,
  removeReceivers,
  searchReceivers,
} from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { notKept } from "../shell/query-client.ts";

export interface ReceiverFilters {
  search: string;
  bankId: string | null;
  status: ReceiverStatus | null;
}

const receiverKeys = {
  all: ["receivers"] as const,
  list: (filters: ReceiverFilters, page: number) => [...receiverKeys.all, "list", filters, page] as const,
  one: (id: string) => [...receiverKeys.all, "one", id] as const,
  search: (text: string) => [...receiverKeys.all, "autocomplete", text] as const,
};

export const noFilters: ReceiverFilters = { search: "", bankId: null, status: null };

/** Pages are counted from 0 (RCV-005). */
export function receiverListQuery({ search, bankId, status }: ReceiverFilters, page: number) {
  return queryOptions({
    queryKey: receiverKeys.list({ search, bankId, status }, page),
    queryFn: ({ signal }) =>
      call(listReceivers, {
        query: { page, ...(search && { search }), ...(bankId && { bankId }), ...(status && { status }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function receiverQuery(id: string) {
  return queryOptions({
    ...notKept,
    queryKey: receiverKeys.one(id),
    queryFn: ({ signal }) => call(readReceiver, { params: { id }, signal }),
  });
}

/** RCV-021: searches from three characters on. */
export const receiverSearchMin = 3;

export function receiverSearchQuery(search: string) {
  return queryOptions({
    queryKey: receiverKeys.search(search),
    queryFn: ({ signal }) => call(searchReceivers, { query: { search }, signal }),
    enabled: search.length >= receiverSearchMin,
    placeholderData: keepPreviousData,
  });
}

/** Also after a refusal: it means that the receiver changed elsewhere while this screen was open. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: receiverKeys.all });
}

interface SaveRequest {
  /** Generated when the form opened: a repeated save is the same receiver. */
  id: string;
  isNew: boolean;
  body: DestinationInput;
}

export function useSaveReceiver() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, isNew, body }: SaveRequest) =>
      isNew
        ? call(createReceiver, { body: { ...body, id } })
        : call(changeReceiver, { params: { id }, body }),
    // Not awaited: the saved form closes before its fresh data arrives.
    onSettled: () => void refresh(),
  });
}

export function useRemoveReceiver() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(removeReceiver, { params: { id } }),
    onSettled: () => void refresh(),
  });
}

export function useRemoveReceivers() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (ids: string[]) => call(removeReceivers, { body: { ids } }),
    onSettled: () => void refresh(),
  });
}
