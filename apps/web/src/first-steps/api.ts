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
import { checkpoints } from "../shell/checkpoints.ts";
import type { Session } from "../shell/session.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { toast } from "../ui/toasts.tsx";

const firstStepsMark = "HAS_FILLED_FIRST_STEPS";

/** People and companies known to have the mark. A mark is never removed, so it is read only until it exists. */
const filled = new Set<string>();
const knownAs = ({ company, sub }: Pick<Session, "company" | "sub">) => `${company.id} ${sub}`;

/** FST-025: a failed call must not block work, so first steps then count as filled. */
export async function hasFilledFirstSteps(
  session: Pick<Session, "company" | "profile" | "sub">,
): Promise<boolean> {
  const known = knownAs(session);
  if (filled.has(known)) return true;
  try {
    const exists = await checkpoints.existsInCompany(firstStepsMark);
    // People who do not set up the company complete their own part only.
    const isDone = exists || (session.profile !== "admin" && (await readOwnMark()).exists);
    if (isDone) filled.add(known);
    return isDone;
  } catch {
    // `call` has reported the failure already.
    return true;
  }
}

const readOwnMark = () => call(readCheckpoint, { params: { id: firstStepsMark }, query: {} });

/** FST-005: true until an admin of the company has set the mark. */
export function firstTimeQuery(companyId: string) {
  return queryOptions({
    queryKey: ["first-steps", companyId],
    queryFn: async ({ signal }) => !(await checkpoints.existsInCompany(firstStepsMark, signal)),
  });
}

export const withdrawalAccountQuery = queryOptions({
  queryKey: ["company-bank-account", "WITHDRAW"],
  queryFn: ({ signal }) => call(readCompanyBankAccount, { query: { accountSource: "WITHDRAW" }, signal }),
});

export type WithdrawalAccount = NonNullable<
  Awaited<ReturnType<NonNullable<typeof withdrawalAccountQuery.queryFn>>>
>;

/**
 * FST-007: saves the account first, and sets no mark when that fails. An account that waits for approval ends the first
 * steps too.
 */
export function useFinishFirstSteps(session: Session) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (account: WithdrawalAccount | undefined) => {
      const saved = account && (await call(saveCompanyBankAccount, { body: account }));
      // FST-025: the account is saved; a failed mark does not block, and the next visit asks again.
      const isMarked = await call(createCheckpoint, { body: { location: firstStepsMark } }).then(
        () => true,
        () => false,
      );
      filled.add(knownAs(session));
      return { isMarked, awaitsApproval: saved?.awaits_approval === true };
    },
    onSuccess: ({ isMarked, awaitsApproval }) => {
      if (awaitsApproval) toast.good(awaitsApprovalText);
      if (isMarked && session.profile === "admin")
        queryClient.setQueryData(firstTimeQuery(session.company.id).queryKey, false);
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
