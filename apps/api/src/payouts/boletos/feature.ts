import * as contracts from "@malote/contracts/boletos";
import type { Feature } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import { hasBlankslate } from "../lists/by-period-store.ts";
import { isIntegrationIdUsed } from "../lists/store.ts";
import {
  listAllBoletos,
  listBoletos,
  listBoletosWithReceipts,
  readBoleto,
  readDuplicatedCode,
} from "./read.ts";

function boletoRoutes({ serve }: Serve): void {
  serve(contracts.listBillets, listBoletos);
  serve(contracts.listAllBillets, listAllBoletos);
  serve(contracts.listBilletsWithReceipts, listBoletosWithReceipts);
  serve(contracts.readBilletsBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "BILLET") }));
  serve(contracts.readBillet, (tx, { params, now }) => readBoleto(tx, params.id, now));
  serve(contracts.readBilletDetails, (tx, { params, now }) => readBoleto(tx, params.id, now));
  serve(contracts.readDuplicatedBillet, readDuplicatedCode);
  serve(contracts.readDuplicatedBilletIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const boletosFeature: Feature = { routes: boletoRoutes };
