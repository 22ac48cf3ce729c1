/** Requests that wait for a person's approval, for the home page. */
import { approveRequest } from "@malote/contracts/controls";
import type { WorkSource } from "../home/index.ts";
import { countToDecide, listRequestsToDecide } from "./list-requests.ts";
import { requestTitle } from "./request-words.ts";

export const requestWork: WorkSource = {
  policy: approveRequest.policy,
  async list(tx, request) {
    const rows = await listRequestsToDecide(tx, request);
    return rows.map((row) => ({
      kind: "approve_request" as const,
      due_at: row.expires_at.toISOString(),
      id: row.id,
      request: row.kind,
      title: requestTitle(row),
      amount: row.amount,
      requested_by: row.requested_by_name,
    }));
  },
  count: countToDecide,
};
