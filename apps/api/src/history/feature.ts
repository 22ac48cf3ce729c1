import * as contracts from "@malote/contracts/history";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import { readOfPayin, readOfPayment } from "./read.ts";
import { historySubscriber, recordHistory } from "./record.ts";

export function historyRoutes({ serve }: Serve): void {
  serve(contracts.readPaymentHistory, readOfPayment);
  serve(contracts.readPayinHistory, readOfPayin);
}

export const historyFeature: Feature = {
  routes: historyRoutes,
  subscribers: [subscriber({ ...historySubscriber, handle: recordHistory })],
};
