import * as contracts from "@malote/contracts/transfers";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import { hasBlankslate } from "../lists/by-period-store.ts";
import { isIntegrationIdUsed } from "../lists/store.ts";
import {
  listAllTransfers,
  listFailedIds,
  listFailedOfReceiver,
  listTransfers,
  listTransfersWithReceipts,
  readTransferDetails,
} from "./read.ts";

function transferRoutes({ serve }: Serve): void {
  serve(contracts.listTransfers, listTransfers);
  serve(contracts.listFailedTransferIds, listFailedIds);
  serve(contracts.listAllTransfers, listAllTransfers);
  serve(contracts.listTransfersWithReceipts, listTransfersWithReceipts);
  serve(contracts.readTransfersBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "TRANSFER") }));
  serve(contracts.readTransfer, (tx, { params, now }) => readTransferDetails(tx, params.id, now));
  serve(contracts.listFailedOfReceiver, async (tx, { params, now }) => ({
    data: await listFailedOfReceiver(tx, params.id, params.dbaId, now),
  }));
  serve(contracts.readDuplicatedIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const transfersFeature: Feature = { routes: transferRoutes };
