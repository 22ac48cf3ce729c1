import * as contracts from "@malote/contracts/receivers";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import { listReceivers, readReceiver, searchReceivers } from "./read.ts";
import { saveReceiversOfEvents } from "./remember.ts";
import { removeMany, removeReceiver } from "./remove.ts";
import { changeReceiver, createReceiver } from "./save.ts";

export function receiverRoutes({ serve }: Serve): void {
  serve(contracts.listReceivers, listReceivers);
  serve(contracts.searchReceivers, searchReceivers);
  serve(contracts.readReceiver, readReceiver);
  serve(contracts.createReceiver, createReceiver);
  serve(contracts.changeReceiver, changeReceiver);
  serve(contracts.removeReceiver, removeReceiver);
  serve(contracts.removeReceivers, removeMany);
}

export const receiversFeature: Feature = {
  routes: receiverRoutes,
  subscribers: [
    subscriber({
      name: "remember-receivers",
      on: ["batch.released", "batch.cancelled", "batch.settled", "payment.settled", "payment.failed"],
      handle: saveReceiversOfEvents,
    }),
  ],
};
