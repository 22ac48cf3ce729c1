import * as contracts from "@malote/contracts/transfers";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { readCharges } from "../lookups/ask-codes.ts";
import { add, change, refund, remove, removeMany } from "./edit.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { hasBlankslate } from "./payments-by-period.ts";
import { isIntegrationIdUsed, list, listFailedIds, listFailedOf, readDetails } from "./read.ts";

function transferRoutes({ serve, serveAsking }: Serve, services: Services): void {
  const askCharges = ({ body }: Call<typeof contracts.addTransfer> | Call<typeof contracts.changeTransfer>) =>
    readCharges(services, [body]);
  serve(contracts.listTransfers, list);
  serve(contracts.listFailedTransferIds, listFailedIds);
  serve(contracts.listAllTransfers, listAll);
  serve(contracts.listTransfersWithReceipts, listWithReceipts);
  serve(contracts.readTransfersBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "TRANSFER") }));
  serveAsking(contracts.addTransfer, askCharges, (tx, call, charges) =>
    add(tx, call, charges, services.jobs),
  );
  serveAsking(contracts.changeTransfer, askCharges, (tx, call, charges) =>
    change(tx, call, charges, services),
  );
  serve(contracts.removeTransfer, remove);
  serve(contracts.removeTransfers, removeMany);
  serve(contracts.refundTransfer, (tx, call) => refund(tx, call, services.jobs));
  serve(contracts.readTransfer, (tx, { params, now }) => readDetails(tx, params.id, now));
  serve(contracts.listFailedOfReceiver, async (tx, { params, now }) => ({
    data: await listFailedOf(tx, params.id, params.dbaId, now),
  }));
  serve(contracts.readDuplicatedIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const feature: Feature = { routes: transferRoutes };
