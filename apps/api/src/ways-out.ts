/** What each kind of request does once enough people approved it: the features' own actions, composed here. */

import { carryOutInfractions } from "./contestations/answer.ts";
import { type CarryOutEach, carryOutPolicy } from "./controls/index.ts";
import { carryOutRefund } from "./payins/ask-refund.ts";
import { carryOutBoletoCorrection, retryBoletos } from "./payouts/boletos/edit.ts";
import type { RetryEach } from "./payouts/failures/kinds.ts";
import { carryOutRetry } from "./payouts/failures/resolve.ts";
import { carryOutCorrection, retryTransfers } from "./payouts/transfers/edit.ts";
import type { Parts } from "./platform/parts.ts";
import { carryOutAccount } from "./settings/withdrawal-account.ts";
import { carryOutWithdrawal } from "./statement/withdraw.ts";

export const retryEach = (parts: Pick<Parts, "jobs">): RetryEach => ({
  TRANSFER: retryTransfers(parts),
  BILLET: retryBoletos(parts),
});

export function carryOutEach(parts: Parts): CarryOutEach {
  const ofTransfer = carryOutCorrection(parts);
  const ofBoleto = carryOutBoletoCorrection(parts);
  const ofMany = carryOutRetry(retryEach(parts));
  return {
    CORRECTION: (tx, request, acting) => {
      const { type } = request.payload as { type: "TRANSFER" | "BILLET" | "RETRY" };
      return { TRANSFER: ofTransfer, BILLET: ofBoleto, RETRY: ofMany }[type](tx, request, acting);
    },
    WITHDRAWAL: carryOutWithdrawal(parts),
    PAYIN_REFUND: carryOutRefund(parts),
    INFRACTION: carryOutInfractions(parts),
    WITHDRAWAL_ACCOUNT: carryOutAccount,
    POLICY: carryOutPolicy,
  };
}
