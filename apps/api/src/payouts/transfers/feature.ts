import * as contracts from "@malote/contracts/transfers";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { hasBlankslate } from "./payments-by-period.ts";
import { isIntegrationIdUsed, list, listFailedIds, listFailedOf, readDetails } from "./read.ts";

function transferRoutes({ serve }: Serve): void {
  serve(contracts.listTransfers, list);
  serve(contracts.listFailedTransferIds, listFailedIds);
  serve(contracts.listAllTransfers, listAll);
  serve(contracts.listTransfersWithReceipts, listWithReceipts);
  serve(contracts.readTransfersBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "TRANSFER") }));
  serve(contracts.readTransfer, (tx, { params, now }) => readDetails(tx, params.id, now));
  serve(contracts.listFailedOfReceiver, async (tx, { params, now }) => ({
    data: await listFailedOf(tx, params.id, params.dbaId, now),
  }));
  serve(contracts.readDuplicatedIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const feature: Feature = { routes: transferRoutes };
