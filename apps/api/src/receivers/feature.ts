import * as contracts from "@malote/contracts/receivers";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import { list, read, search } from "./read.ts";
import { rememberAfter } from "./remember.ts";
import { remove, removeMany } from "./remove.ts";
import { change, create } from "./save.ts";

export function receiverRoutes({ serve }: Serve): void {
  serve(contracts.listReceivers, list);
  serve(contracts.searchReceivers, search);
  serve(contracts.readReceiver, read);
  serve(contracts.createReceiver, create);
  serve(contracts.changeReceiver, change);
  serve(contracts.removeReceiver, remove);
  serve(contracts.removeReceivers, removeMany);
}

export const feature: Feature = {
  routes: receiverRoutes,
  subscribers: [
    subscriber({
      name: "remember-receivers",
      on: ["batch.released", "batch.cancelled", "batch.settled", "payment.settled", "payment.failed"],
      handle: rememberAfter,
    }),
  ],
};
