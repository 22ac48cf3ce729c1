/** Executors of approved requests by kind: actions of the features, composed here. */

import { executeInfractions } from "./contestations/index.ts";
import { executePolicy, type RequestExecutors } from "./controls/index.ts";
import { executeRefund } from "./payins/index.ts";
import { executeCorrection } from "./payouts/index.ts";
import type { Services } from "./platform/services.ts";
import { executeAccountChange } from "./settings/index.ts";
import { executeWithdrawal } from "./statement/index.ts";

export function createRequestExecutors(services: Services): RequestExecutors {
  return {
    CORRECTION: executeCorrection(services),
    WITHDRAWAL: executeWithdrawal(services),
    PAYIN_REFUND: executeRefund(services),
    INFRACTION: executeInfractions(services),
    WITHDRAWAL_ACCOUNT: executeAccountChange,
    POLICY: executePolicy,
  };
}
