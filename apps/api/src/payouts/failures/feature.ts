import * as contracts from "@malote/contracts/failures";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { listFailures } from "./list.ts";
import { retryFailures, returnFailedPayments } from "./resolve.ts";
import { listNotices } from "./store.ts";

function failureRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listFailures, listFailures);
  serve(contracts.retryFailures, (tx, call) => retryFailures(tx, call, services));
  serve(contracts.giveBackFailures, (tx, call) => returnFailedPayments(tx, call, services.jobs));
  serve(contracts.listFailureNotices, (tx, { actor }) => listNotices(tx, actor.id));
}

export const failuresFeature: Feature = { routes: failureRoutes };
