import { type AccountType, accountTypeNames, accountTypes } from "@malote/domain/bank-account";
import { useQuery } from "@tanstack/react-query";
import { accountTypesQuery } from "./api.ts";

/** What the chosen bank accepts; all there are while it is not known. What was chosen before stays to be seen, with its mistake. */
export function useAccountTypeOptions(ispb: string, chosen: string): { value: AccountType; label: string }[] {
  const { data: accepted = accountTypes } = useQuery(accountTypesQuery(ispb));
  return accountTypes
    .filter((type) => accepted.includes(type) || type === chosen)
    .map((value) => ({ value, label: accountTypeNames[value] }));
}
