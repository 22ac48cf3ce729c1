/** Second half of the job `ask-lookups`: applies the registers' prices to the boletos of a draft. */
import { saoPauloDate } from "@malote/domain/calendar";
import type { Services } from "../../platform/services.ts";
import { fixDraftBoletos } from "../boletos/bulk-fix.ts";
import { isWronglyPriced, priceNow } from "../boletos/prices.ts";
import { listBoletosPricedByRegister, listOverdueYetPayable } from "../boletos/store.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { isBatch, lockBatch, updateRecheckedTotals } from "./store.ts";

const blockSize = 500;

/**
 * Sets the prices of a draft to those of the registers on the payment dates, whether a form, a sheet or a program
 * supplied the codes. Clears the issue of an overdue boleto that is still payable.
 */
export async function repriceDraft(
  { db, clock }: Pick<Services, "db" | "clock">,
  { companyId, batchId }: { companyId: string; batchId: string },
): Promise<void> {
  await db.withCompany(companyId, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (batch?.status !== "DRAFT" || !isBatch(batch) || !paymentKinds[batch.type].isPricedByRegister) return;
    const now = clock.now();
    const [priced, overdue] = await Promise.all([
      listBoletosPricedByRegister(tx, batchId, saoPauloDate(now)),
      listOverdueYetPayable(tx, batchId),
    ]);
    const ids = [
      ...priced.filter((row) => isWronglyPriced(row, now)),
      ...overdue.filter((row) => priceNow(row, now) !== undefined),
    ].map(({ id }) => id);
    if (ids.length === 0) return;
    const grown = { value: 0, errors: 0 };
    for (let start = 0; start < ids.length; start += blockSize) {
      const block = { batchId, ids: ids.slice(start, start + blockSize), set: {} };
      const { value, errors } = await fixDraftBoletos(tx, block, now);
      grown.value += value;
      grown.errors += errors;
    }
    await updateRecheckedTotals(tx, batchId, grown);
  });
}
