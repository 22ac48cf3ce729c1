import * as contracts from "@malote/contracts/history";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import { historySubscriber, keepHistory } from "./keep.ts";
import { ofPayin, ofPayment } from "./read.ts";

export function historyRoutes({ serve }: Serve): void {
  serve(contracts.readPaymentHistory, ofPayment);
  serve(contracts.readPayinHistory, ofPayin);
}

export const historyFeature: Feature = {
  routes: historyRoutes,
  subscribers: [subscriber({ ...historySubscriber, handle: keepHistory })],
};
