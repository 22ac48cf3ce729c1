import {
  createCredential,
  createValidationCredential,
  listCredentials,
  listValidationCredentials,
  revokeCredential,
  revokeValidationCredential,
} from "@malote/contracts/developer";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { useSession } from "../shell/session.ts";

/** DEV-005: each application has its own credentials, on its own API. */
export function useIsValidation(): boolean {
  return useSession()?.application.id === "validation";
}

const keys = { all: ["credentials"] as const };

export const credentialsQuery = (isValidation: boolean) =>
  queryOptions({
    queryKey: [...keys.all, isValidation ? "validation" : "payments"],
    queryFn: ({ signal }) =>
      isValidation ? call(listValidationCredentials, { signal }) : call(listCredentials, { signal }),
    select: ({ data }) => data,
  });

export function useCreateCredential() {
  const queryClient = useQueryClient();
  const isValidation = useIsValidation();
  return useMutation({
    mutationFn: (body: { name?: string }) =>
      isValidation ? call(createValidationCredential, { body }) : call(createCredential, { body }),
    // The answer carries the secret, which is dropped when its dialog closes.
    gcTime: 0,
    // Not awaited, so that the secret shows at once.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: keys.all }),
  });
}

export function useRevokeCredential() {
  const queryClient = useQueryClient();
  const isValidation = useIsValidation();
  return useMutation({
    mutationFn: (id: string) =>
      isValidation
        ? call(revokeValidationCredential, { params: { id } })
        : call(revokeCredential, { params: { id } }),
    // Also after a refusal: it may have changed elsewhere first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.all }),
  });
}
