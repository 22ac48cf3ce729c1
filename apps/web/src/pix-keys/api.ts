import type { BodyOf } from "@malote/contracts/contract";
import {
  cancelPixKeyClaim,
  claimPixKey,
  confirmPixKeyClaim,
  createPixKey,
  deletePixKey,
  listPixKeys,
  type PixKeyOnWire,
  readPixKey,
  resendPixKeyCode,
  verifyPixKey,
} from "@malote/contracts/pix-keys";
import { countsAsRegistered, type PixKeyStatus } from "@malote/domain/own-pix-key";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, errorSentence } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { toast } from "../ui/toasts.tsx";

export type PixKey = PixKeyOnWire;
/** A key that money can be sent to. */
export type UsableKey = PixKey & { key: string };

const all = ["pix-keys"] as const;
const lookEveryMs = 2_000;
/** A claim may take its seven days. */
const lookNowAndThenMs = 30_000;

/**
 * Polls keys that the directory is changing until they settle: often for one in progress, rarely for a claim (PIX-039).
 */
export function lookAgainMs(status: PixKeyStatus): number | false {
  if (isPassing(status) || status === "PORTABILITY_REQUESTED" || status === "CLAIM_REQUESTED")
    return lookEveryMs;
  return isUnderWay(status) ? lookNowAndThenMs : false;
}
const isUnderWay = (status: PixKeyStatus) =>
  status === "PORTABILITY_IN_PROGRESS" || status === "CLAIM_IN_PROGRESS";

/** PIX-025: the directory is working and answers within moments. */
export const isPassing = (status: PixKeyStatus) => status === "PENDING" || status === "PENDING_REMOVAL";

export const pixKeysQuery = queryOptions({
  queryKey: [...all, "list"],
  queryFn: ({ signal }) => call(listPixKeys, { signal }),
});

export const pixKeyQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, id],
    queryFn: ({ signal }) => call(readPixKey, { params: { id }, signal }),
    staleTime: 0,
    // An error stops the polling (SES-070).
    refetchInterval: ({ state }) =>
      state.status !== "error" && state.data ? lookAgainMs(state.data.status) : false,
  });

/** PIX-005, PIX-006: keys of the account, in the server's order. */
export const usableKeys = (keys: readonly PixKey[]): UsableKey[] =>
  keys.filter(
    (key): key is UsableKey =>
      key.key !== null && key.ownership_date !== null && countsAsRegistered(key.status),
  );

/** PIX-051. Without a network there is no code, and the person sees the usual error. */
function showExpectedError(error: Error): void {
  const text = isExpectedError(error) ? errorSentence(error) : undefined;
  if (text) toast.bad(text);
}
const isExpectedError = (error: Error) =>
  error instanceof CallError && (error.code !== undefined || error.status === 0 || error.status >= 500);

/**
 * Shared behaviour of actions on keys: one at a time, the answer is the key's new state, and lists are refetched, also
 * after a refusal.
 */
function useKeyAction<Given>(act: (given: Given) => Promise<PixKey>) {
  const queryClient = useQueryClient();
  const acting = useOneAtATime();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: act,
    throwOnError: (error) => !isExpectedError(error),
    onError: showExpectedError,
    onSuccess: (key) => queryClient.setQueryData(pixKeyQuery(key.id).queryKey, key),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: all });
      void queryClient.invalidateQueries({ queryKey: ["payment-accounts"] });
    },
  });
  return {
    isPending,
    isSuccess,
    mutate(given: Given, onSuccess?: (key: PixKey) => void) {
      if (acting.begin()) mutate(given, { ...(onSuccess && { onSuccess }), onSettled: acting.end });
    },
  };
}

export const useCreateKey = () =>
  useKeyAction((body: BodyOf<typeof createPixKey>) => call(createPixKey, { body }));
export const useVerifyKey = (id: string) =>
  useKeyAction((code: string) => call(verifyPixKey, { params: { id }, body: { code } }));
export const useClaimKey = (id: string) => useKeyAction<void>(() => call(claimPixKey, { params: { id } }));
export const useCancelClaim = (id: string) =>
  useKeyAction<void>(() => call(cancelPixKeyClaim, { params: { id } }));
export const useConfirmClaim = (id: string) =>
  useKeyAction<void>(() => call(confirmPixKeyClaim, { params: { id } }));
export const useDeleteKey = (id: string) => useKeyAction<void>(() => call(deletePixKey, { params: { id } }));

export const useResendCode = (id: string) =>
  useMutation({
    mutationFn: () => call(resendPixKeyCode, { params: { id } }),
    throwOnError: (error) => !isExpectedError(error),
    onError: showExpectedError,
  });

export function useRefreshKeys(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: pixKeysQuery.queryKey });
}
