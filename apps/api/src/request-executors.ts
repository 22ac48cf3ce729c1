/** Executors of approved requests by kind: actions of the features, composed here. */

import { carryOutInfractions } from "./contestations/index.ts";
import { type CarryOutEach, carryOutPolicy } from "./controls/index.ts";
import { carryOutRefund } from "./payins/index.ts";
import { carryOutCorrection } from "./payouts/index.ts";
import type { Services } from "./platform/services.ts";
import { carryOutAccount } from "./settings/index.ts";
import { carryOutWithdrawal } from "./statement/index.ts";

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
