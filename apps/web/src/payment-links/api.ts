import type { BodyOf } from "@malote/contracts/contract";
import { createPaymentLink, listPaymentLinks, removePaymentLink } from "@malote/contracts/payment-links";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

const key = ["payment-links"] as const;

/** Pages are counted from 0 (LNK-002). */
export function paymentLinksQuery(page: number) {
  return queryOptions({
    queryKey: [...key, page],
    queryFn: ({ signal }) => call(listPaymentLinks, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Also after a refusal: it means that the link was paid or deleted elsewhere while it was on the screen. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: key });
}

export function useCreatePaymentLink() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: BodyOf<typeof createPaymentLink>) => call(createPaymentLink, { body }),
    onSettled: () => void refresh(),
  });
}

export function useRemovePaymentLink() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(removePaymentLink, { params: { id } }),
    onSettled: () => void refresh(),
  });
}
