import * as contracts from "@malote/contracts/failures";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { list } from "./list.ts";
import { giveBackMany, retry } from "./resolve.ts";
import { listNotices } from "./store.ts";

function failureRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.listFailures, list);
  serve(contracts.retryFailures, (tx, call) => retry(tx, call, services));
  serve(contracts.giveBackFailures, (tx, call) => giveBackMany(tx, call, services.jobs));
  serve(contracts.listFailureNotices, (tx, { actor }) => listNotices(tx, actor.id));
}

export const feature: Feature = { routes: failureRoutes };
