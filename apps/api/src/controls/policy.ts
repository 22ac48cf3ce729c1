/** The controls of a company that are in force at a given time. */
import { type ControlPolicy, firstPolicy, type PolicyInForce } from "@malote/domain/controls";
import { readCompany, type StoredSettings } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { findPolicy } from "./store.ts";

/** Returns the policy of a company that never saved its own: its settings, and defaults for the rest. */
export const policyOfSettings = ({
  requiresOtherApprover,
  blockWithdrawForOperator,
}: Pick<StoredSettings, "requiresOtherApprover" | "blockWithdrawForOperator">): ControlPolicy => ({
  ...firstPolicy,
  requiresOtherApprover,
  operatorsMayWithdraw: !blockWithdrawForOperator,
});

export async function readPolicyInForce(
  tx: Tx,
  now: Date,
  settings?: StoredSettings,
): Promise<PolicyInForce> {
  const own = await findPolicy(tx, now);
  // A version saved before a rule existed gets that rule's default.
  if (own) return { ...firstPolicy, ...own.policy, countedBefore: own.counted_before };
  return policyOfSettings(settings ?? (await readCompany(tx)).settings);
}
