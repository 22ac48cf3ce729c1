import { changeCompanySettings, saveCompanyBankAccount } from "@malote/contracts/company";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type WithdrawalAccount, withdrawalAccountQuery } from "../first-steps/index.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { call } from "../shell/call.ts";

/** SET-009: saves the withdrawal account. */
export function useSaveWithdrawalAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (account: WithdrawalAccount) => call(saveCompanyBankAccount, { body: account }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: withdrawalAccountQuery.queryKey }),
  });
}

/** Saved on the click, like the page's other switch. */
export function useEmailsPayees() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => call(changeCompanySettings, { body: { emails_payees: on } }),
    onSuccess: (_, on) => {
      queryClient.setQueryData(
        companySettingsQuery.queryKey,
        (settings) => settings && { ...settings, emailsPayees: on },
      );
    },
  });
}

/** SET-018: saves the address that answers to e-mails go to. */
export function useSaveReplyTo() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => call(changeCompanySettings, { body: { reply_to_email: email } }),
    onSuccess: (_, email) => {
      queryClient.setQueryData(
        companySettingsQuery.queryKey,
        (settings) => settings && { ...settings, replyToEmail: email },
      );
    },
  });
}
