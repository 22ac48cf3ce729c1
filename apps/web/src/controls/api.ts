import type { ResponseOf } from "@malote/contracts/contract";
import {
  approveRequest,
  type ControlPolicyOnWire,
  countApprovalRequests,
  listApprovalRequests,
  readControls,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { call } from "../shell/call.ts";

export const controlsQuery = queryOptions({
  queryKey: ["controls"],
  queryFn: ({ signal }) => call(readControls, { signal }),
});

export const approvalRequestsQuery = queryOptions({
  queryKey: ["approval-requests"],
  queryFn: ({ signal }) => call(listApprovalRequests, { signal }),
});

/** Number of open requests that wait for this person; every page shows it. */
export const approvalCountQuery = queryOptions({
  queryKey: [...approvalRequestsQuery.queryKey, "count"],
  queryFn: ({ signal }) => call(countApprovalRequests, { signal }),
});

/** The caller shows the result, because the form resets as soon as another version is read. */
export function useSaveControls(says: {
  onSuccess: (answer: ResponseOf<typeof saveControls>) => void;
  onError: (error: Error) => void;
}) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { version: number; policy: ControlPolicyOnWire }) => call(saveControls, { body }),
    ...says,
    // Fetched again on each visit, to show changes made elsewhere.
    onSettled: () =>
      Promise.all(
        [controlsQuery, approvalRequestsQuery, companySettingsQuery].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** An approval may move money, change the account or the policy, so all cached data may be stale after it. */
export function useDecideRequest() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (
      decided:
        | { approves: true; id: string; digest: string; idempotencyKey: string }
        | { approves: false; id: string; reason: string },
    ) => {
      const params = { id: decided.id };
      if (!decided.approves) {
        const { reason } = decided;
        return call(rejectRequest, { params, body: reason ? { reason } : {} });
      }
      const { digest, idempotencyKey } = decided;
      return call(approveRequest, { params, body: { digest }, idempotencyKey });
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
