/** Money came in: what has to go back to payers comes first, and then whoever waits to pay (decision 0022). */

import { collectRefunds } from "./contestations/index.ts";
import { payWaitingBatches } from "./payouts/index.ts";
import type { Parts } from "./platform/parts.ts";

export async function offerMoney(parts: Parts, { companyId }: { companyId: string }): Promise<void> {
  await collectRefunds(parts, { companyId });
  await payWaitingBatches(parts, { companyId });
}
