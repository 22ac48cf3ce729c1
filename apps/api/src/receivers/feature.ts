import * as contracts from "@malote/contracts/receivers";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { list, read, search } from "./read.ts";
import { rememberReceivers } from "./remember.ts";
import { remove, removeMany } from "./remove.ts";
import { change, create } from "./save.ts";

export function receiverRoutes({ serve }: Serve, _parts: Parts): void {
  serve(contracts.listReceivers, list);
  serve(contracts.searchReceivers, search);
  serve(contracts.readReceiver, read);
  serve(contracts.createReceiver, create);
  serve(contracts.changeReceiver, change);
  serve(contracts.removeReceiver, remove);
  serve(contracts.removeReceivers, removeMany);
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "remember-receivers": { companyId: string; batchId: string; paymentIds?: string[] };
  }
}

export const feature: Feature = {
  routes: receiverRoutes,
  jobs: {
    "remember-receivers": {
      atOnce: 1,
      tries: 200,
      restSecondsMax: 2,
      run: ({ db, clock }, { companyId, ...paid }) =>
        db.withCompany(companyId, (tx) => rememberReceivers(tx, paid, clock.now())),
    },
  },
};
