/** Who may send the failed payments of a batch again, and who may give their money back. */
import { readCompany } from "../../company/index.ts";
import { policyInForce } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { BatchRow } from "./store.ts";

/**
 * Refuses a caller who may not send a failed payment of a batch again. Operators may where the company lets them; what they correct
 * leaves only after an admin looked at it, as what they prepare does. Answers how many other people the correction needs at least.
 */
export async function requireCorrector(
  tx: Tx,
  { actor, now }: { actor: Actor; now: Date },
  batch: BatchRow,
): Promise<number> {
  const { settings } = await readCompany(tx);
  const { operatorsMayCorrect } = await policyInForce(tx, now, settings);
  if (actor.profile === "operator" && !operatorsMayCorrect) throw new AppError("correction_admins_only");
  if (actor.profile === "analyst") throw new AppError("forbidden");
  return Math.max(actor.profile === "operator" ? 1 : 0, batch.approvers_min);
}

/** Giving a failed payment back sends nothing out: admins and operators may, unless the company says otherwise. */
export async function requireGiver(tx: Tx, { actor, now }: { actor: Actor; now: Date }): Promise<void> {
  if (actor.profile === "operator" && !(await policyInForce(tx, now)).operatorsMayGiveBack)
    throw new AppError("refund_admins_only");
}
