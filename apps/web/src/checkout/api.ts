import { payCheckout, readCheckout, readCheckoutCharge, readCheckoutLogo } from "@malote/contracts/checkout";
import type { BodyOf } from "@malote/contracts/contract";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { addressOf, call } from "../shell/call.ts";

const key = (token: string) => ["checkout", token] as const;
const chargeKey = (token: string, id: string) => [...key(token), "charge", id] as const;

export function checkoutQuery(token: string) {
  return queryOptions({
    queryKey: key(token),
    queryFn: ({ signal }) => call(readCheckout, { params: { token }, signal }),
  });
}

/** Polls the server while the charge is pending; an error stops it (SES-070). */
const waitingPollMs = 4_000;

export function chargeQuery(token: string, id: string) {
  return queryOptions({
    queryKey: chargeKey(token, id),
    queryFn: ({ signal }) => call(readCheckoutCharge, { params: { token, id }, signal }),
    refetchInterval: ({ state }) =>
      state.status !== "error" && (state.data?.state === "waiting" || state.data?.state === "preparing")
        ? waitingPollMs
        : false,
  });
}

export type Payment = BodyOf<typeof payCheckout>;

export function usePay(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Payment) => call(payCheckout, { params: { token }, body }),
    onSuccess: (charge) => queryClient.setQueryData(chargeKey(token, charge.id), charge),
    // Also after a refusal: it means that another payer paid, or that the link ended.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: key(token), exact: true }),
  });
}

export const logoAddress = (token: string): string => addressOf(readCheckoutLogo, { params: { token } });
