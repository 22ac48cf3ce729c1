import type { BodyOf } from "@malote/contracts/contract";
import type { Application, Profile } from "@malote/contracts/policy";
import {
  changeUser,
  changeValidationUser,
  createUser,
  createValidationUser,
  listUsers,
  listValidationUsers,
  readUser,
  readValidationUser,
  removeUser,
  removeValidationUser,
  resetTwoFactor,
  resetValidationTwoFactor,
  sendPasswordLink,
  sendValidationPasswordLink,
} from "@malote/contracts/users";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { hasApplication, may, readSession, type Session } from "../shell/session.ts";

interface UserFilters {
  search: string;
  application: Application | null;
  profile: Profile | null;
  /** Counted from 0. */
  page: number;
}

const usersKey = ["users"] as const;

/** COM-016: people without payments use the API of the validation application. */
function isWithoutPayments(): boolean {
  const session = readSession();
  return session !== undefined && !hasApplication(session, "payments");
}

/** COM-018: the permission that shows the button. */
export const mayCreateUser = (session: Session | undefined): boolean =>
  isWithoutPayments() ? may(createValidationUser, session) : may(createUser, session);

export const userListQuery = ({ search, application, profile, page }: UserFilters) =>
  queryOptions({
    queryKey: [...usersKey, "list", search, application, profile, page],
    queryFn: ({ signal }) => {
      const query = {
        page,
        ...(search && { search }),
        ...(application && { application }),
        ...(profile && { profile }),
      };
      return isWithoutPayments()
        ? call(listValidationUsers, { query, signal })
        : call(listUsers, { query, signal });
    },
    placeholderData: keepPreviousData,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: ({ signal }) =>
      isWithoutPayments()
        ? call(readValidationUser, { params: { id }, signal })
        : call(readUser, { params: { id }, signal }),
  });

type NewUser = BodyOf<typeof createUser>;
type Access = BodyOf<typeof changeUser>;

export function useCreateUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) =>
      isWithoutPayments() ? call(createValidationUser, { body }) : call(createUser, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}

/** Resets the second factor of a person who lost phone and recovery codes. */
export function useResetTwoFactor(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      isWithoutPayments()
        ? call(resetValidationTwoFactor, { params: { id } })
        : call(resetTwoFactor, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}

export function useChangeUser(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Access) =>
      isWithoutPayments()
        ? call(changeValidationUser, { params: { id }, body })
        : call(changeUser, { params: { id }, body }),
    onSuccess: (user) => queryClient.setQueryData(userQuery(id).queryKey, user),
    // Also after a refusal: it means that the user changed elsewhere meanwhile.
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}

export function useRemoveUser(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      isWithoutPayments()
        ? call(removeValidationUser, { params: { id } })
        : call(removeUser, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...usersKey, "list"] }),
  });
}

export function useSendPasswordLink(id: string) {
  return useMutation({
    mutationFn: () =>
      isWithoutPayments()
        ? call(sendValidationPasswordLink, { params: { id } })
        : call(sendPasswordLink, { params: { id } }),
  });
}
