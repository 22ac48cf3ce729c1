import {
  changeCompanySettings,
  createCheckpoint,
  readCheckpoint,
  readCompanyBankAccount,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { call } from "../shell/call.ts";
import type { Session } from "../shell/session.ts";

const firstStepsMark = "HAS_FILLED_FIRST_STEPS";

/** Companies known to have filled them: the mark never goes away, so it is asked for only until it is there. */
const filledCompanies = new Set<string>();

/** FST-025: a failed call never keeps anybody from working, so first steps then count as filled. */
export async function hasFilledFirstSteps(session: Pick<Session, "company">): Promise<boolean> {
  const companyId = session.company.id;
  if (filledCompanies.has(companyId)) return true;
  try {
    const { exists } = await readMark();
    if (exists) filledCompanies.add(companyId);
    return exists;
  } catch {
    // The caller of the server has reported it.
    return true;
  }
}

function readMark(signal?: AbortSignal) {
  const params = { id: firstStepsMark } as const;
  return call(readCheckpoint, { params, query: { in_company: "true" }, ...(signal && { signal }) });
}

/** FST-005: the first time lasts until the company has the mark. */
export function firstTimeQuery(companyId: string) {
  return queryOptions({
    queryKey: ["first-steps", companyId],
    queryFn: async ({ signal }) => {
      const { exists } = await readMark(signal);
      return !exists;
    },
  });
}

export const withdrawalAccountQuery = queryOptions({
  queryKey: ["company-bank-account", "WITHDRAW"],
  queryFn: ({ signal }) => call(readCompanyBankAccount, { query: { accountSource: "WITHDRAW" }, signal }),
});

export type WithdrawalAccount = NonNullable<
  Awaited<ReturnType<NonNullable<typeof withdrawalAccountQuery.queryFn>>>
>;

/** FST-007: the account first, and no mark when it fails. */
export function useFinishFirstSteps(companyId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (account: WithdrawalAccount | undefined) => {
      if (account) await call(saveCompanyBankAccount, { body: account });
      // FST-025: the account is saved; a mark that fails asks again next time and blocks nobody now.
      const isMarked = await call(createCheckpoint, { body: { location: firstStepsMark } }).then(
        () => true,
        () => false,
      );
      filledCompanies.add(companyId);
      return isMarked;
    },
    onSuccess: (isMarked) => {
      if (isMarked) queryClient.setQueryData(firstTimeQuery(companyId).queryKey, false);
      return queryClient.invalidateQueries({ queryKey: withdrawalAccountQuery.queryKey });
    },
  });
}

export function useAutomaticCorrection() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (accept: boolean) =>
      call(changeCompanySettings, { body: { accept_contacerta_suggestions: accept } }),
    onSuccess: (_, accept) => {
      queryClient.setQueryData(
        companySettingsQuery.queryKey,
        (settings) => settings && { ...settings, acceptContaCertaSuggestions: accept },
      );
    },
  });
}
