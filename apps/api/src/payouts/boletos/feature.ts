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
  serve(contracts.listBoletos, listBoletos);
  serve(contracts.listAllBoletos, listAllBoletos);
  serve(contracts.listBoletosWithReceipts, listBoletosWithReceipts);
  serve(contracts.readBoletosBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "BILLET") }));
  serve(contracts.readBoleto, (tx, { params, now }) => readBoleto(tx, params.id, now));
  serve(contracts.readBoletoDetails, (tx, { params, now }) => readBoleto(tx, params.id, now));
  serve(contracts.readDuplicatedBoleto, readDuplicatedCode);
  serve(contracts.readDuplicatedBoletoIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const boletosFeature: Feature = { routes: boletoRoutes };
