/** Executors of approved requests by kind: actions of the features, composed here. */

import { carryOutInfractions } from "./contestations/answer.ts";
import { type CarryOutEach, carryOutPolicy } from "./controls/index.ts";
import { carryOutRefund } from "./payins/ask-refund.ts";
import { carryOutCorrection } from "./payouts/index.ts";
import type { Services } from "./platform/services.ts";
import { carryOutAccount } from "./settings/withdrawal-account.ts";
import { carryOutWithdrawal } from "./statement/withdraw.ts";

export function carryOutEach(services: Services): CarryOutEach {
  return {
    CORRECTION: carryOutCorrection(services),
    WITHDRAWAL: carryOutWithdrawal(services),
    PAYIN_REFUND: carryOutRefund(services),
    INFRACTION: carryOutInfractions(services),
    WITHDRAWAL_ACCOUNT: carryOutAccount,
    POLICY: carryOutPolicy,
  };
}
