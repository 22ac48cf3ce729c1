import * as contracts from "@malote/contracts/boletos";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import { hasBlankslate } from "../transfers/payments-by-period.ts";
import { isIntegrationIdUsed } from "../transfers/read.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { isDuplicated, list, read } from "./read.ts";

function boletoRoutes({ serve }: Serve): void {
  serve(contracts.listBillets, list);
  serve(contracts.listAllBillets, listAll);
  serve(contracts.listBilletsWithReceipts, listWithReceipts);
  serve(contracts.readBilletsBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "BILLET") }));
  serve(contracts.readBillet, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readBilletDetails, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readDuplicatedBillet, isDuplicated);
  serve(contracts.readDuplicatedBilletIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const feature: Feature = { routes: boletoRoutes };
