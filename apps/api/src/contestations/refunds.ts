/**
 * Refunds to the payer of an infraction: as much as the balance covers at once, the rest from incoming money while it
 * is monitored. Incoming money goes to refunds first, then to waiting batches (decision 0022).
 */
import { monitoringEndsAt } from "@malote/domain/infraction";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { isFullyReturned, returnPix } from "./received-pix.ts";
import {
  addReturned,
  endRefund,
  insertMovement,
  insertRefund,
  lockPendingRefunds,
  type RefundRow,
} from "./refund-store.ts";
import type { InfractionRow } from "./store.ts";

/**
 * Begins a refund, in the transaction of the answer that requires it. A repeated call for the same infraction does
 * nothing.
 */
export async function beginRefund(
  tx: Tx,
  { id: infractionId, amount }: Pick<InfractionRow, "id" | "amount">,
  now: Date,
): Promise<void> {
  if (!(await insertRefund(tx, { infractionId, amount, now, monitoringEndsAt: monitoringEndsAt(now) })))
    return;
  const [begun] = await lockPendingRefunds(tx, infractionId);
  if (!begun) throw new Error(`the refund of infraction ${infractionId} is missing after it began`);
  const moved = await returnNextPart(tx, begun, now);
  if ((await closeIfFullyReturned(tx, begun, now)) || moved > 0) return;
  await insertMovement(tx, infractionId, {
    id: uuidv7(now.getTime()),
    attempt_status: "failed",
    attempt_date: now,
    amount,
    return_id: null,
  });
}

/** Returns money now: the whole missing amount, or as much as the balance covers. Returns that amount. */
async function returnNextPart(tx: Tx, refund: RefundRow, now: Date): Promise<number> {
  const { infraction_id: infractionId, transaction_id: endToEndId } = refund;
  const missing = refund.amount - refund.refunded_amount;
  const id = uuidv7(now.getTime());
  const returned = await returnPix(tx, { id, endToEndId, amount: missing }, now);
  if (!returned) return 0;
  const { amount, returnId } = returned;
  await insertMovement(tx, infractionId, {
    id,
    attempt_status: "succeeded",
    attempt_date: now,
    amount,
    return_id: returnId,
  });
  await addReturned(tx, infractionId, amount, now);
  const detail = { amount, missing: missing - amount };
  await audit(tx, { actor: "system", now }, "infraction_refunded", infractionId, detail);
  return amount;
}

/** Closes a refund when nothing is left to collect, because the company returned the money to the payer by itself. */
async function closeIfFullyReturned(tx: Tx, refund: RefundRow, now: Date): Promise<boolean> {
  if (!(await isFullyReturned(tx, refund.transaction_id))) return false;
  if (await endRefund(tx, refund.infraction_id, "closed"))
    await audit(tx, { actor: "system", now }, "infraction_refund_closed", refund.infraction_id);
  return true;
}

/**
 * Collects for pending refunds, the oldest first: after money came in, and on schedule. Closes a refund whose
 * monitoring has ended.
 */
export async function collectRefunds(
  { db, clock }: Pick<Services, "db" | "clock">,
  { companyId }: { companyId: string },
): Promise<void> {
  await db.withCompany(companyId, async (tx) => {
    const now = clock.now();
    for (const refund of await lockPendingRefunds(tx)) {
      if (refund.monitoring_ends_at > now) {
        await returnNextPart(tx, refund, now);
        await closeIfFullyReturned(tx, refund, now);
      } else if (await endRefund(tx, refund.infraction_id, "closed")) {
        const missing = refund.amount - refund.refunded_amount;
        const detail = { missing };
        await audit(
          tx,
          { actor: "system", now },
          "infraction_monitoring_ended",
          refund.infraction_id,
          detail,
        );
      }
    }
  });
}
