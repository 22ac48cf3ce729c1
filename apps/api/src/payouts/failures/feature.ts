import * as contracts from "@malote/contracts/failures";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { listFailures } from "./list.ts";
import { resendFailures, returnFailures } from "./resolve.ts";
import { listNotices } from "./store.ts";

function failureRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listFailures, listFailures);
  serve(contracts.resendFailures, (tx, call) => resendFailures(tx, call, services));
  serve(contracts.returnFailures, (tx, call) => returnFailures(tx, call, services.jobs));
  serve(contracts.listFailureNotices, (tx, { actor }) => listNotices(tx, actor.id));
}

export const failuresFeature: Feature = { routes: failureRoutes };
