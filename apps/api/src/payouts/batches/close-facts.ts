/** Returns the current facts that decide whether a batch may be closed or sent to approval. */
import type { BatchFacts } from "@malote/domain/batch";
import type { Company } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { dayFacts } from "../rules/day-facts.ts";
import { countOutdatedPayments } from "./outdated-payments.ts";
import type { BatchRow } from "./store.ts";

export async function readCloseFacts(
  tx: Tx,
  batch: BatchRow,
  company: Pick<Company, "settings" | "permissions">,
  now: Date,
): Promise<BatchFacts> {
  const newly = await countOutdatedPayments(tx, batch, dayFacts(company, now));
  return {
    status: batch.status,
    revision: batch.revision,
    paymentCount: batch.payments_count,
    errorCount: batch.errors_count + newly.expired + newly.forbidden + newly.repriced,
    expiredCount: newly.expired,
    failedCount: batch.failed_count,
  };
}
