import * as contracts from "@malote/contracts/controls";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { approveRequest, type CarryOutEach, rejectRequest } from "./decide-request.ts";
import { countRequests, listRequests } from "./list-requests.ts";
import { readControls, savePolicy } from "./save-policy.ts";

export function controlRoutes({ serve }: Serve, services: Services, carryOut: CarryOutEach): void {
  serve(contracts.readControls, readControls);
  serve(contracts.saveControls, (tx, call) => savePolicy(tx, services, call));
  serve(contracts.listApprovalRequests, listRequests);
  serve(contracts.countApprovalRequests, countRequests);
  serve(contracts.approveRequest, (tx, call) =>
    approveRequest(tx, services, call, { id: call.params.id, ...call.body }, carryOut),
  );
  serve(contracts.rejectRequest, (tx, call) =>
    rejectRequest(tx, call, { id: call.params.id, reason: call.body.reason || null }),
  );
}
