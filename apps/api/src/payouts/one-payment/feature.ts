import * as boletoContracts from "@malote/contracts/boletos";
import * as transferContracts from "@malote/contracts/transfers";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { askAboutBoletos } from "../lookups/ask-boletos.ts";
import { readCharges } from "../lookups/ask-codes.ts";
import { addPayment, changePayment, returnPayment } from "./actions.ts";
import { oneBoleto, removeBoleto } from "./boletos.ts";
import { oneTransfer, removeMany, removeTransfer } from "./transfers.ts";

function onePaymentRoutes(serve: Serve, services: Services): void {
  transferRoutes(serve, services);
  boletoRoutes(serve, services);
}

function transferRoutes({ serve, serveWithFacts }: Serve, services: Services): void {
  const { jobs } = services;
  const { addTransfer, changeTransfer, refundTransfer } = transferContracts;
  const askCharges = ({ body }: Call<typeof addTransfer> | Call<typeof changeTransfer>) =>
    readCharges(services, [body]);
  const placeOf = ({ id, tid }: { id: string; tid: string }) => ({ batchId: id, id: tid });
  serveWithFacts(addTransfer, askCharges, (tx, call, charges) =>
    addPayment(tx, oneTransfer, call, { charges, jobs }),
  );
  serveWithFacts(changeTransfer, askCharges, (tx, call, charges) => {
    const { confirmations, ...input } = call.body;
    return changePayment(
      tx,
      oneTransfer,
      placeOf(call.params),
      call,
      { input, confirmations },
      { charges, jobs },
    );
  });
  serve(transferContracts.removeTransfer, removeTransfer);
  serve(transferContracts.removeTransfers, removeMany);
  serve(refundTransfer, (tx, call) => returnPayment(tx, oneTransfer, placeOf(call.params), call, jobs));
}

function boletoRoutes({ serve, serveWithFacts }: Serve, services: Services): void {
  const { jobs } = services;
  const { addBoleto, changeBoleto, refundBoleto } = boletoContracts;
  /** Looks up the price of today at the register. A register that does not answer is recorded and blocks no draft. */
  const askRegister = async (call: Call<typeof addBoleto> | Call<typeof changeBoleto>): Promise<void> => {
    const { actor, now, body } = call;
    const code = readBoletoCode(body.barcode, saoPauloDate(now));
    if (code)
      await askAboutBoletos(services, actor.companyId, { id: actor.id, name: actor.name }, [code.barcode]);
  };
  serveWithFacts(addBoleto, askRegister, (tx, call) => addPayment(tx, oneBoleto, call, { jobs }));
  serveWithFacts(changeBoleto, askRegister, (tx, call) => {
    const { confirmations, ...input } = call.body;
    const place = { batchId: call.params.id, id: input.id };
    return changePayment(tx, oneBoleto, place, call, { input, confirmations }, { jobs });
  });
  serve(boletoContracts.removeBoleto, (tx, call) => removeBoleto(tx, call, jobs));
  serve(refundBoleto, (tx, call) => {
    const place = { batchId: call.params.id, id: call.params.billetId };
    return returnPayment(tx, oneBoleto, place, call, jobs);
  });
}

export const onePaymentFeature: Feature = { routes: onePaymentRoutes };
