/**
 * Locks of payouts, in the one order in which every transaction takes them, so that they cannot deadlock:
 *
 * 1. the batch's row: `lockBatch` (batches/store.ts)
 * 2. the company's codes of boletos and charges: `lockBoletoCodes`
 * 3. the company's check for equal payments: `lockChecks`
 * 4. the stored findings of one batch: `lockFindings`
 * 5. the sums that decide who approves: `lockSums` (controls), then the rows of the limits, then the ledger's accounts
 *
 * The execution of an approved correction takes 1 to 3 before the request's own row (`lockBatchOfRequest` in controls).
 */
import { boletoCodesLock, equalPaymentsLock } from "../controls/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { declareLock, lockFor, lockObject } from "../platform/db/locks.ts";

/**
 * Locks the codes of boletos and charges: of two drafts with the same one closed at once, the second must see the
 * first.
 */
export const lockBoletoCodes = (tx: Tx): Promise<void> => lockFor(tx, boletoCodesLock);

/**
 * Locks the check for equal payments until the payments leave: of two batches that are closed or resent at once, the
 * second finds the first.
 */
export const lockChecks = (tx: Tx): Promise<void> => lockFor(tx, equalPaymentsLock);

const findingsLock = declareLock("checks");

/**
 * Locks the checks of a large batch: one transaction at a time computes them, and the next one finds its stored result.
 */
export const lockFindings = (tx: Tx, batchId: string): Promise<void> => lockObject(tx, findingsLock, batchId);
