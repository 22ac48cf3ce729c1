import { accountTypeNames } from "@malote/domain/bank-account";
import { formatTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { bankQuery } from "../transfers/api.ts";
import { withDigit } from "../ui/format.ts";
import type { WithdrawalAccount } from "./api.ts";

/** Returns name and value of each line of the account. */
export function useWithdrawalAccountLines(account: WithdrawalAccount): [label: string, text: string][] {
  const { data: bank = { code: null, name: `ISPB ${account.bank_id}` } } = useQuery(
    bankQuery(account.bank_id),
  );
  return [
    ["Banco", [bank.code, bank.name].filter(Boolean).join(" · ")],
    ["Agência", withDigit(account.agency, account.agency_digit)],
    [accountTypeNames[account.account_type], withDigit(account.account, account.account_digit)],
    ["Titular", account.name],
    ["CPF ou CNPJ", formatTaxId(account.cpfCnpj)],
  ];
}
