import type { BodyOf } from "@malote/contracts/contract";
import type { Application, Profile } from "@malote/contracts/policy";
import {
  changeUser,
  createUser,
  listUsers,
  readUser,
  removeUser,
  sendPasswordLink,
} from "@malote/contracts/users";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

interface UserFilters {
  search: string;
  application: Application | null;
  profile: Profile | null;
  /** Counted from 0. */
  page: number;
}

const usersKey = ["users"] as const;

export const userListQuery = ({ search, application, profile, page }: UserFilters) =>
  queryOptions({
    queryKey: [...usersKey, "list", search, application, profile, page],
    queryFn: ({ signal }) =>
      call(listUsers, {
        query: {
          page,
          ...(search && { search }),
          ...(application && { application }),
          ...(profile && { profile }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, "one", id],
    queryFn: ({ signal }) => call(readUser, { params: { id }, signal }),
  });

type NewUser = BodyOf<typeof createUser>;
type Access = BodyOf<typeof changeUser>;

export function useCreateUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewUser) => call(createUser, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}

export function useChangeUser(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Access) => call(changeUser, { params: { id }, body }),
    onSuccess: (user) => queryClient.setQueryData(userQuery(id).queryKey, user),
    // Also after a refusal: it means that somebody else changed the user meanwhile.
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}

export function useRemoveUser(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(removeUser, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...usersKey, "list"] }),
  });
}

export function useSendPasswordLink(id: string) {
  return useMutation({ mutationFn: () => call(sendPasswordLink, { params: { id } }) });
}
