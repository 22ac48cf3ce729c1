/** Permissions for the failed payments of a batch: resending them and returning their money. */
import { readCompany } from "../../company/index.ts";
import { readPolicyInForce } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { BatchRow } from "./store.ts";

/**
 * Throws when the caller may not resend failed payments of a batch. Operators may where the company allows it, and an
 * admin must approve their corrections, like everything that they prepare. Returns the minimum number of other
 * approvers.
 */
export async function requireCorrector(
  tx: Tx,
  { actor, now }: { actor: Actor; now: Date },
  batch: BatchRow,
): Promise<number> {
  const { settings } = await readCompany(tx);
  const { operatorsMayCorrect } = await readPolicyInForce(tx, now, settings);
  if (actor.profile === "operator" && !operatorsMayCorrect) throw new AppError("correction_admins_only");
  if (actor.profile === "analyst") throw new AppError("forbidden");
  return Math.max(actor.profile === "operator" ? 1 : 0, batch.approvers_min);
}

/**
 * Throws when the caller may not return a failed payment. No money leaves, so admins and operators may, unless the
 * company restricts it to admins.
 */
export async function requireMayReturn(tx: Tx, { actor, now }: { actor: Actor; now: Date }): Promise<void> {
  if (actor.profile === "operator" && !(await readPolicyInForce(tx, now)).operatorsMayGiveBack)
    throw new AppError("refund_admins_only");
}
