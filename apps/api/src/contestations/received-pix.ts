/** The Pix that an infraction is about, and its return. */

import { returnId } from "@malote/domain/end-to-end-id";
import { ownInstitution } from "@malote/domain/own-institution";
import { listCompaniesWhere } from "../company/index.ts";
import { readAvailableBalance } from "../ledger/index.ts";
import { findPayinByEndToEndId, type PayinRow, returnPayin, sqlHasReceived } from "../payins/index.ts";
import type { Database, Tx } from "../platform/db/database.ts";

export async function findCompanyOfPix(
  db: Pick<Database, "withSystem">,
  endToEndId: string,
): Promise<string | undefined> {
  const found = await db.withSystem((tx) => listCompaniesWhere(tx, sqlHasReceived(endToEndId)));
  // An end-to-end id names one Pix; with two here, either choice could debit the wrong company.
  if (found.length > 1) throw new Error("two companies received the same Pix");
  return found[0];
}

export async function getReceivedPix(tx: Tx, endToEndId: string): Promise<PayinRow> {
  const payin = await findPayinByEndToEndId(tx, endToEndId);
  if (!payin) throw new Error(`the received Pix ${endToEndId} disappeared during the call`);
  return payin;
}

/** Returns the part of the received amount that was not returned yet. */
const notReturned = (payin: PayinRow): number => payin.received_amount - payin.refunded_amount;

/** Returns true when the Pix was fully returned; false while a refund is under way, because it may still fail. */
export async function isFullyReturned(tx: Tx, endToEndId: string): Promise<boolean> {
  const payin = await getReceivedPix(tx, endToEndId);
  return notReturned(payin) <= 0 && payin.status !== "refunding";
}

/** Returns the amount that can be returned now: the balance, and the blocked part of the payin. */
async function readAmountInReach(tx: Tx, payin: PayinRow): Promise<number> {
  const blocked = payin.blocked_at && !payin.unblocked_at ? (payin.block_amount ?? 0) : 0;
  return blocked + (await readAvailableBalance(tx));
}

/** Retries, because the balance may fall between reading and posting. */
const triesMax = 5;

/**
 * Returns as much of the money as is requested and available; undefined when nothing is. A repeated id returns nothing
 * more.
 */
export async function returnPix(
  tx: Tx,
  { id, endToEndId, amount }: { id: string; endToEndId: string; amount: number },
  now: Date,
): Promise<{ amount: number; returnId: string } | undefined> {
  for (let tried = 0; tried < triesMax; tried++) {
    const payin = await getReceivedPix(tx, endToEndId);
    const possible = Math.min(amount, notReturned(payin), await readAmountInReach(tx, payin));
    if (possible <= 0) return undefined;
    const done = await returnPayin(tx, { payinId: payin.id, refundId: id, amount: possible, now });
    if (done.kind === "returned")
      return {
        amount: done.amount,
        returnId: returnId(ownInstitution().ispb, now, id.replaceAll("-", "").slice(-11)),
      };
  }
  return undefined;
}
