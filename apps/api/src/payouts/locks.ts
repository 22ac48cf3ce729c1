/**
 * The locks of payouts, in the one order in which every transaction takes them, so that none waits in a cycle:
 *
 * 1. the batch's row: `lockBatch` (batches/store.ts)
 * 2. the company's codes of boletos and charges: `lockBoletoCodes`
 * 3. the company's look for equal payments: `lockChecks`
 * 4. what was found in one batch: `lockFindings`
 * 5. the sums that decide who approves: `lockSums` (controls), then the rows of the limits, then the ledger's accounts
 *
 * What carries out an approved correction takes 1 to 3 before the request's own row (`lockBatchOfRequest` in controls).
 */
import type { Tx } from "../platform/db/database.ts";
import { lockFor } from "../platform/db/locks.ts";

export { lockFindings } from "../platform/db/locks.ts";

/** Of two drafts with the same boleto or charge closed at once, the second has to see the first. */
export const lockBoletoCodes = (tx: Tx): Promise<void> => lockFor(tx, "boleto-codes");

/**
 * Held from the look for equal payments to their leaving: of two that are closed or sent again at once the second finds the
 * first.
 */
export const lockChecks = (tx: Tx): Promise<void> => lockFor(tx, "equal-payments");
