import * as contracts from "@malote/contracts/transfers";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { add, change, refund, remove, removeMany } from "./edit.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { hasBlankslate } from "./of-period.ts";
import { isIntegrationIdUsed, list, listFailedOf, readDetails } from "./read.ts";

export function transferRoutes({ serve }: Serve, parts: Parts): void {
  serve(contracts.listTransfers, list);
  serve(contracts.listAllTransfers, listAll);
  serve(contracts.listTransfersWithReceipts, listWithReceipts);
  serve(contracts.readTransfersBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "TRANSFER") }));
  serve(contracts.addTransfer, add);
  serve(contracts.changeTransfer, (tx, call) => change(tx, call, parts.jobs));
  serve(contracts.removeTransfer, remove);
  serve(contracts.removeTransfers, removeMany);
  serve(contracts.refundTransfer, (tx, call) => refund(tx, call, parts.jobs));
  serve(contracts.readTransfer, (tx, { params, now }) => readDetails(tx, params.id, now));
  serve(contracts.listFailedOfReceiver, async (tx, { params, now }) => ({
    data: await listFailedOf(tx, params.id, params.dbaId, now),
  }));
  serve(contracts.readDuplicatedIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}
