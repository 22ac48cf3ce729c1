import { cancelLimitRaise, changeLimit, type LimitsView, readLimits } from "@malote/contracts/limits";
import type { PaymentMethod } from "@malote/domain/limits";
import type { LimitPeriod } from "@malote/domain/payment-limits";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { transferLimitsQuery } from "./api.ts";

export type Limit = LimitsView["data"][number];
export type Raise = LimitsView["raises"][number];

export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: ({ signal }) => call(readLimits, { signal }),
});

function useLimitChange<Given>(act: (given: Given) => Promise<LimitsView>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (view) => queryClient.setQueryData(limitsQuery.queryKey, view),
    // Also after a refusal: the limit may have changed elsewhere. Forms of payments read the limits too.
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: transferLimitsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ["company-settings"] });
    },
  });
}

export const useChangeLimit = (limit: { period: LimitPeriod; payment_method: PaymentMethod }) =>
  useLimitChange((value: number) =>
    call(changeLimit, { body: { period: limit.period, payment_method: limit.payment_method, value } }),
  );

export const useCancelRaise = (id: string) =>
  useLimitChange(() => call(cancelLimitRaise, { params: { id } }));
