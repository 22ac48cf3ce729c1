import { readCompanySettings } from "@malote/contracts/company";
import { readBalance } from "@malote/contracts/statement";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "../ui/toasts.tsx";
import { call, errorSentence, generalText } from "./call.ts";
import { may, type Session } from "./session.ts";

const refreshEveryMs = 60_000;
const refreshEvent = "malote:refresh-top-bar";

/** Call after anything that moved money: the top bar reads the balance again at once (SHL-009). */
export function refreshTopBar(): void {
  dispatchEvent(new Event(refreshEvent));
}

export const balanceQuery = queryOptions({
  queryKey: ["balance"],
  queryFn: ({ signal }) => call(readBalance, { signal }),
});

/** Cached until logout or application switch (SES-078). */
export const companySettingsQuery = queryOptions({
  queryKey: ["company-settings"],
  queryFn: ({ signal }) => call(readCompanySettings, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Balance and waiting amount, or `hidden` while the account is in validation mode (SHL-007). */
export function useBalance(session: Session) {
  const queryClient = useQueryClient();
  const inPayments = may(readBalance, session);
  const settings = useQuery({ ...companySettingsQuery, enabled: inPayments });
  const hidden = !inPayments || settings.data?.validationAccount === true;
  const balance = useQuery({
    ...balanceQuery,
    enabled: !hidden && !settings.isPending,
    // An error stops the polling (SES-070); the refresh event starts it again.
    refetchInterval: (query) => (query.state.status === "error" ? false : refreshEveryMs),
  });
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: balanceQuery.queryKey });
    addEventListener(refreshEvent, refresh);
    return () => removeEventListener(refreshEvent, refresh);
  }, [queryClient]);
  const { error } = balance;
  useEffect(() => {
    const text = error && errorSentence(error, generalText);
    if (text) toast.bad(text);
  }, [error]);
  return { hidden, balance: balance.data };
}
