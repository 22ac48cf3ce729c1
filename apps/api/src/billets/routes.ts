import * as contracts from "@malote/contracts/billets";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { hasBlankslate, isIntegrationIdUsed } from "../transfers/index.ts";
import { add, change, refund, remove } from "./edit.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { isDuplicated, list, read } from "./read.ts";

export function billetRoutes({ serve }: Serve, parts: Parts): void {
  serve(contracts.listBillets, list);
  serve(contracts.listAllBillets, listAll);
  serve(contracts.listBilletsWithReceipts, listWithReceipts);
  serve(contracts.readBilletsBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "BILLET") }));
  serve(contracts.addBillet, add);
  serve(contracts.changeBillet, (tx, call) => change(tx, call, parts.jobs));
  serve(contracts.removeBillet, (tx, call) => remove(tx, call, parts.jobs));
  serve(contracts.refundBillet, (tx, call) => refund(tx, call, parts.jobs));
  serve(contracts.readBillet, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readBilletDetails, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readDuplicatedBillet, isDuplicated);
  serve(contracts.readDuplicatedBilletIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}
