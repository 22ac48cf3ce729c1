import { readStatement, withdrawBalance } from "@malote/contracts/statement";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { daysOfMonth, type Month } from "../ui/format.ts";

export const statementKeys = {
  all: ["statement"] as const,
  page: (month: Month, page: number) => [...statementKeys.all, month, page] as const,
};

/** `page` is counted from 0 here and sent plus one (STM-016). */
export function statementQuery(month: Month, page: number) {
  return queryOptions({
    queryKey: statementKeys.page(month, page),
    queryFn: ({ signal }) =>
      call(readStatement, { query: { ...daysOfMonth(month), page: page + 1 }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** STM-031: the entries are asked for again whatever became of it; a lost answer may have been a yes. */
export function useWithdraw() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ value, idempotencyKey }: { value: number; idempotencyKey: string }) =>
      call(withdrawBalance, { body: { value }, idempotencyKey }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: statementKeys.all }),
  });
}
