import * as boletoContracts from "@malote/contracts/boletos";
import * as transferContracts from "@malote/contracts/transfers";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Feature } from "../../platform/feature.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { askAboutBoletos } from "../lookups/ask-boletos.ts";
import { readCharges } from "../lookups/ask-codes.ts";
import * as boletos from "./boletos.ts";
import * as transfers from "./transfers.ts";

function onePaymentRoutes(serve: Serve, services: Services): void {
  transferRoutes(serve, services);
  boletoRoutes(serve, services);
}

function transferRoutes({ serve, serveAsking }: Serve, services: Services): void {
  const { addTransfer, changeTransfer, removeTransfer, removeTransfers, refundTransfer } = transferContracts;
  const askCharges = ({ body }: Call<typeof addTransfer> | Call<typeof changeTransfer>) =>
    readCharges(services, [body]);
  serveAsking(addTransfer, askCharges, (tx, call, charges) =>
    transfers.addTransfer(tx, call, charges, services.jobs),
  );
  serveAsking(changeTransfer, askCharges, (tx, call, charges) =>
    transfers.changeTransfer(tx, call, charges, services),
  );
  serve(removeTransfer, transfers.removeTransfer);
  serve(removeTransfers, transfers.removeMany);
  serve(refundTransfer, (tx, call) => transfers.refundTransfer(tx, call, services.jobs));
}

function boletoRoutes({ serve, serveAsking }: Serve, services: Services): void {
  const { addBillet, changeBillet, removeBillet, refundBillet } = boletoContracts;
  /** Looks up the price of today at the register. A register that does not answer is recorded and blocks no draft. */
  const askRegister = async (call: Call<typeof addBillet> | Call<typeof changeBillet>): Promise<void> => {
    const { actor, now, body } = call;
    const code = readBoletoCode(body.barcode, saoPauloDate(now));
    if (code)
      await askAboutBoletos(services, actor.companyId, { id: actor.id, name: actor.name }, [code.barcode]);
  };
  serveAsking(addBillet, askRegister, boletos.addBoleto);
  serveAsking(changeBillet, askRegister, (tx, call) => boletos.changeBoleto(tx, call, services));
  serve(removeBillet, (tx, call) => boletos.removeBoleto(tx, call, services.jobs));
  serve(refundBillet, (tx, call) => boletos.refundBoleto(tx, call, services.jobs));
}

export const onePaymentFeature: Feature = { routes: onePaymentRoutes };
