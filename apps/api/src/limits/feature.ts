import { cancelLimitRaise, changeLimit, readLimits } from "@malote/contracts/limits";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { emailAboutLimits } from "./emails.ts";
import { applyDueRaises, cancel, change } from "./raise.ts";
import { readView } from "./read.ts";

export function limitRoutes({ serve }: Serve, services: Services): void {
  serve(readLimits, readView);
  serve(changeLimit, (tx, call) => change(tx, call, services));
  serve(cancelLimitRaise, cancel);
}

export const feature: Feature = {
  routes: limitRoutes,
  subscribers: [
    subscriber({
      name: "limit-emails",
      on: ["limit.changed", "limit.raise_asked", "limit.raise_cancelled"],
      handle: emailAboutLimits,
    }),
  ],
  schedules: [{ name: "raises of limits", everyMs: 10_000, run: applyDueRaises }],
};
