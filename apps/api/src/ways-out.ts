/** What each kind of request does once enough people approved it: the features' own actions, composed here. */

import { carryOutInfractions } from "./contestations/answer.ts";
import { type CarryOutEach, carryOutPolicy } from "./controls/index.ts";
import { carryOutRefund } from "./payins/ask-refund.ts";
import { carryOutBoletoCorrection, retryBoletos } from "./payouts/boletos/edit.ts";
import type { RetryEach } from "./payouts/failures/kinds.ts";
import { carryOutRetry } from "./payouts/failures/resolve.ts";
import { carryOutCorrection, retryTransfers } from "./payouts/transfers/edit.ts";
import type { Services } from "./platform/services.ts";
import { carryOutAccount } from "./settings/withdrawal-account.ts";
import { carryOutWithdrawal } from "./statement/withdraw.ts";

export const retryEach = (services: Pick<Services, "jobs">): RetryEach => ({
  TRANSFER: retryTransfers(services),
  BILLET: retryBoletos(services),
});

export function carryOutEach(services: Services): CarryOutEach {
  const ofTransfer = carryOutCorrection(services);
  const ofBoleto = carryOutBoletoCorrection(services);
  const ofMany = carryOutRetry(retryEach(services));
  return {
    CORRECTION: (tx, request, acting) => {
      const { type } = request.payload as { type: "TRANSFER" | "BILLET" | "RETRY" };
      return { TRANSFER: ofTransfer, BILLET: ofBoleto, RETRY: ofMany }[type](tx, request, acting);
    },
    WITHDRAWAL: carryOutWithdrawal(services),
    PAYIN_REFUND: carryOutRefund(services),
    INFRACTION: carryOutInfractions(services),
    WITHDRAWAL_ACCOUNT: carryOutAccount,
    POLICY: carryOutPolicy,
  };
}
