import { type AccountType, accountTypeNames, accountTypes } from "@malote/domain/bank-account";
import { useQuery } from "@tanstack/react-query";
import { accountTypesQuery } from "./api.ts";

/**
 * Account types that the chosen bank accepts; all types while it is unknown. An earlier choice stays visible, with its
 * error.
 */
export function useAccountTypeOptions(ispb: string, chosen: string): { value: AccountType; label: string }[] {
  const { data: accepted = accountTypes } = useQuery(accountTypesQuery(ispb));
  return accountTypes
    .filter((type) => accepted.includes(type) || type === chosen)
    .map((value) => ({ value, label: accountTypeNames[value] }));
}
