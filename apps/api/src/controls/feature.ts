import * as contracts from "@malote/contracts/controls";
import { subscriber } from "../platform/events/subscriber.ts";
import { type Feature, usualPauseMs } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { approveRequest, type RequestExecutors, rejectRequest } from "./decide-request.ts";
import { emailAboutControls, emailDueApprovers } from "./emails.ts";
import { countRequests, listRequests } from "./list-requests.ts";
import { readControls, savePolicy } from "./save-policy.ts";
import { requestWork } from "./work.ts";

function controlRoutes({ serve }: Serve, services: Services, executors: RequestExecutors): void {
  serve(contracts.readControls, readControls);
  serve(contracts.saveControls, (tx, call) => savePolicy(tx, services, call));
  serve(contracts.listApprovalRequests, listRequests);
  serve(contracts.countApprovalRequests, countRequests);
  serve(contracts.approveRequest, (tx, call) =>
    approveRequest(tx, services, call, { id: call.params.id, ...call.body }, executors),
  );
  serve(contracts.rejectRequest, (tx, call) =>
    rejectRequest(tx, call, { id: call.params.id, reason: call.body.reason || null }),
  );
}

/**
 * Controls and requests for approval. `createRequestExecutors` executes the approved requests by kind; it is a parameter, because
 * the features of each kind import the controls.
 */
export const controlsFeature = (
  createRequestExecutors: (services: Services) => RequestExecutors,
): Feature => ({
  routes: (serve, services) => controlRoutes(serve, services, createRequestExecutors(services)),
  subscribers: [
    subscriber({
      name: "control-emails",
      on: ["approval.requested", "approval.given", "approval.refused", "company.controls_changed"],
      handle: emailAboutControls,
    }),
  ],
  work: [requestWork],
  schedules: [{ name: "e-mails about requests", everyMs: usualPauseMs, run: emailDueApprovers }],
});
