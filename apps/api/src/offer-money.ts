/** Uses incoming money: first for refunds owed to payers, then for batches that wait for balance (decision 0022). */

import { collectRefunds } from "./contestations/index.ts";
import { fundWaitingBatches } from "./payouts/index.ts";
import type { Services } from "./platform/services.ts";

export async function offerMoney(services: Services, { companyId }: { companyId: string }): Promise<void> {
  await collectRefunds(services, { companyId });
  await fundWaitingBatches(services, { companyId });
}
