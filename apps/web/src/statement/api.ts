import { readStatement, withdrawBalance } from "@malote/contracts/statement";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { refreshTopBar } from "../shell/balance.ts";
import { call, errorSentence } from "../shell/call.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { daysOfMonth, formatDateTime, type Month } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";
import { toast } from "../ui/toasts.tsx";

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

/**
 * Shows the result also to a person who closed the dialog meanwhile. STM-031: fetches balance and entries again in any
 * case, because a lost answer may have been a success.
 */
export function useWithdraw() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ value, idempotencyKey }: { value: number; idempotencyKey: string }) =>
      call(withdrawBalance, { body: { value }, idempotencyKey }),
    onSuccess: ({ awaits_approval, execute_at }) => {
      if (awaits_approval) return toast.good(awaitsApprovalText);
      toast.good("Saque realizado com sucesso");
      // A TED outside its hours waits for the next ones.
      if (execute_at && new Date(execute_at).getTime() > systemNow().getTime() + 60_000)
        toast.info(`O valor sai por TED em ${formatDateTime(execute_at)}.`);
    },
    onError: (error) => {
      const text = errorSentence(error, "Ocorreu um erro ao fazer o saque");
      if (text) toast.bad(text);
    },
    onSettled: () => {
      refreshTopBar();
      void queryClient.invalidateQueries({ queryKey: statementKeys.all });
    },
  });
}
