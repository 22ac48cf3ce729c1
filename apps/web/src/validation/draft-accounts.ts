/** Validates accounts of a draft at ContaCerta without leaving the draft. */
import {
  type DataInput,
  readDraftAccountValidation,
  validateDraftAccount,
} from "@malote/contracts/validation";
import { validationPolling, validationStatus } from "@malote/domain/validation";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { companySettingsQuery } from "../shell/balance.ts";
import { call, errorSentence } from "../shell/call.ts";
import { useKeyOfRequest } from "../shell/key-of-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { hasApplication, may, useSession } from "../shell/session.ts";
import { toast } from "../ui/toasts.tsx";

/** An account, with the id of its payment. */
export interface DraftAccount {
  id: string;
  data: DataInput;
}

/** Only a micro deposit shows whether an account exists: the basic check uses the rule that proposed its digits. */
const type = "MICRO_DEPOSIT";

const resultQuery = (id: string) =>
  queryOptions({
    queryKey: ["draft-validations", id],
    queryFn: ({ signal }) => call(readDraftAccountValidation, { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.status !== "error" &&
      state.data !== undefined &&
      validationStatus(state.data) === "VALIDATING" &&
      state.dataUpdateCount <= validationPolling.timesMax
        ? validationPolling.everyMs
        : false,
  });

/** Whether this person may validate accounts here, with the results so far. */
export function useDraftValidations() {
  const session = useSession();
  const settings = useQuery(companySettingsQuery).data;
  const isOffered =
    settings?.uses_micro_deposit === true &&
    may(validateDraftAccount, session) &&
    session !== undefined &&
    hasApplication(session, "validation");
  const keyFor = useKeyOfRequest();
  const sending = useOneAtATime();
  const [isSending, setSending] = useState(false);
  /** Validations by payment and data, because other digits are another account. */
  const [made, setMade] = useState<Readonly<Record<string, string>>>({});
  const nameOf = ({ id, data }: DraftAccount) => JSON.stringify([id, data]);
  const results = useQueries({ queries: Object.values(made).map(resultQuery) });
  const resultOf = new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));

  async function validate(accounts: readonly DraftAccount[]): Promise<void> {
    if (!sending.begin()) return;
    setSending(true);
    try {
      for (const account of accounts) {
        const request = { query: { type }, body: account.data } as const;
        const { id } = await call(validateDraftAccount, {
          ...request,
          idempotencyKey: keyFor([account.id, request]),
        });
        setMade((before) => ({ ...before, [nameOf(account)]: id }));
      }
    } catch (error) {
      const text = errorSentence(error, "Não foi possível validar as contas. Tente de novo.");
      if (text) toast.bad(text);
    } finally {
      setSending(false);
      sending.end();
    }
  }
  return {
    isOffered,
    isSending,
    /** A result that could not be read; its polling has ended (SES-070). */
    failed: results.find(({ isError }) => isError),
    validate: (accounts: readonly DraftAccount[]) => void validate(accounts),
    wasAsked: (account: DraftAccount) => Object.hasOwn(made, nameOf(account)),
    resultOf: (account: DraftAccount) => resultOf.get(made[nameOf(account)] ?? ""),
  };
}
