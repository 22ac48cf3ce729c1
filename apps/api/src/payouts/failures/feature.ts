import * as contracts from "@malote/contracts/failures";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import type { RetryEach } from "./kinds.ts";
import { list } from "./list.ts";
import { giveBackMany, retry } from "./resolve.ts";
import { listNotices } from "./store.ts";

export function failureRoutes({ serve }: Serve, services: Services, retries: RetryEach): void {
  serve(contracts.listFailures, (tx, call) => list(tx, call, retries));
  serve(contracts.retryFailures, (tx, call) => retry(tx, call, retries));
  serve(contracts.giveBackFailures, (tx, call) => giveBackMany(tx, call, services.jobs));
  serve(contracts.listFailureNotices, (tx, { actor }) => listNotices(tx, actor.id));
}
