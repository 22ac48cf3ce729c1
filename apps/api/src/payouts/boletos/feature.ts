import * as contracts from "@malote/contracts/boletos";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { askAboutBoletos } from "../lookups/ask-boletos.ts";
import { hasBlankslate } from "../transfers/payments-by-period.ts";
import { isIntegrationIdUsed } from "../transfers/read.ts";
import { add, change, refund, remove } from "./edit.ts";
import { listAll, listWithReceipts } from "./list-all.ts";
import { isDuplicated, list, read } from "./read.ts";

function boletoRoutes({ serve, serveAsking }: Serve, services: Services): void {
  /** Its register says what it costs today; a register that is down is noted as such and keeps nobody from a draft. */
  const askRegister = async (
    call: Call<typeof contracts.addBillet> | Call<typeof contracts.changeBillet>,
  ): Promise<void> => {
    const { actor, now, body } = call;
    const code = readBoletoCode(body.barcode, saoPauloDate(now));
    if (code)
      await askAboutBoletos(services, actor.companyId, { id: actor.id, name: actor.name }, [code.barcode]);
  };
  serve(contracts.listBillets, list);
  serve(contracts.listAllBillets, listAll);
  serve(contracts.listBilletsWithReceipts, listWithReceipts);
  serve(contracts.readBilletsBlankslate, async (tx) => ({ data: await hasBlankslate(tx, "BILLET") }));
  serveAsking(contracts.addBillet, askRegister, add);
  serveAsking(contracts.changeBillet, askRegister, (tx, call) => change(tx, call, services));
  serve(contracts.removeBillet, (tx, call) => remove(tx, call, services.jobs));
  serve(contracts.refundBillet, (tx, call) => refund(tx, call, services.jobs));
  serve(contracts.readBillet, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readBilletDetails, (tx, { params, now }) => read(tx, params.id, now));
  serve(contracts.readDuplicatedBillet, isDuplicated);
  serve(contracts.readDuplicatedBilletIntegrationId, async (tx, { params, query }) => ({
    isDuplicated: await isIntegrationIdUsed(tx, params.id, query.except),
  }));
}

export const feature: Feature = { routes: boletoRoutes };
