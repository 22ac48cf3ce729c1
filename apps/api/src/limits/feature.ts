import { cancelLimitRaise, changeLimit, readLimits } from "@malote/contracts/limits";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { applyDueRaises, cancel, change } from "./raise.ts";
import { readView } from "./read.ts";

export function limitRoutes({ serve }: Serve, parts: Parts): void {
  serve(readLimits, readView);
  serve(changeLimit, (tx, call) => change(tx, call, parts));
  serve(cancelLimitRaise, (tx, call) => cancel(tx, call, parts));
}

export const feature: Feature = {
  routes: limitRoutes,
  schedules: [{ name: "raises of limits", everyMs: 10_000, run: applyDueRaises }],
};
