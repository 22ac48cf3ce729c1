import { readUserSettings } from "@malote/contracts/company";
import {
  changeMe,
  changePassword,
  makeRecoveryCodes,
  readMe,
  readRecoveryCodes,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import {
  readValidationTwoFactorSecret,
  readValidationUserSettings,
  setValidationTwoFactor,
} from "@malote/contracts/validation";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { isInValidation, storeToken } from "../shell/session.ts";

export const userSettingsQuery = queryOptions({
  queryKey: ["user-settings"],
  // SET-022: each application has its own call.
  queryFn: ({ signal }) =>
    isInValidation() ? call(readValidationUserSettings, { signal }) : call(readUserSettings, { signal }),
});

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => call(readMe, { signal }),
});

/** ACC-008: the new token carries the new name, which the top bar shows at once. */
export function useChangeName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(changeMe, { body: { name } }),
    onSuccess: ({ new_token: token }, name) => {
      storeToken(token);
      queryClient.setQueryData(meQuery.queryKey, (me) => me && { ...me, name });
    },
  });
}

/** Every read creates a new secret, so the answer is never cached or refetched automatically. */
export const twoFactorSecretQuery = queryOptions({
  queryKey: ["two-factor-secret"],
  queryFn: ({ signal }) =>
    isInValidation()
      ? call(readValidationTwoFactorSecret, { signal })
      : call(readTwoFactorSecret, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

export const recoveryCodesQuery = queryOptions({
  queryKey: ["recovery-codes-left"],
  queryFn: ({ signal }) => call(readRecoveryCodes, { signal }),
});

export function useMakeRecoveryCodes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(makeRecoveryCodes),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey }),
  });
}

export type TwoFactorAction = "enable" | "disable";

/** FST-015: the change ends the old token; the new one replaces it at once. */
export function useSetTwoFactor() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { action: TwoFactorAction; code: string }) =>
      isInValidation() ? call(setValidationTwoFactor, { body }) : call(setTwoFactor, { body }),
    onSuccess: ({ new_token: token }) => {
      storeToken(token);
      void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey });
    },
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: { oldPassword: string; newPassword: string; endCredentials?: boolean }) =>
      call(changePassword, { body }),
    onSuccess: ({ new_token: token }) => storeToken(token),
  });
}
