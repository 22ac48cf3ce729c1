import * as contracts from "@malote/contracts/limits";
import { subscriber } from "../platform/events/subscriber.ts";
import { type Feature, usualPauseMs } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { emailAboutLimits } from "./emails.ts";
import { applyDueRaises, cancelLimitRaise, changeLimit } from "./raise.ts";
import { readView } from "./read.ts";

export function limitRoutes({ serve }: Serve, services: Services): void {
  serve(contracts.readLimits, readView);
  serve(contracts.changeLimit, (tx, call) => changeLimit(tx, call, services));
  serve(contracts.cancelLimitRaise, cancelLimitRaise);
}

export const limitsFeature: Feature = {
  routes: limitRoutes,
  subscribers: [
    subscriber({
      name: "limit-emails",
      on: ["limit.changed", "limit.raise_asked", "limit.raise_cancelled"],
      handle: emailAboutLimits,
    }),
  ],
  schedules: [{ name: "raises of limits", everyMs: usualPauseMs, run: applyDueRaises }],
};
