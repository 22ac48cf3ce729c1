/** Stores the outcome of micro deposits on their validations, in the transaction that moves the payments. */
import { errorOfRefusal } from "@malote/domain/validation";
import type { Tx } from "../platform/db/database.ts";
import { findValidationByTransfer, recordOutcome } from "./store.ts";

interface Moved {
  /** The payment's id. */
  id: string;
  reason: string | null;
}

/**
 * Stores the outcomes. A payment in both lists counts as returned: a deposit that the other bank sent back proves
 * nothing.
 */
export async function settleMicroDeposits(
  tx: Tx,
  { arrived, back }: { arrived: readonly Moved[]; back: readonly Moved[] },
  now: Date,
): Promise<void> {
  const hasArrived = new Set(arrived.map(({ id }) => id));
  for (const { id } of arrived) {
    const validation = await getValidation(tx, id);
    await recordOutcome(tx, validation.id, { status: "TRANSFERRED", errors: [], now });
  }
  for (const { id, reason } of back) {
    const validation = await getValidation(tx, id);
    const came = hasArrived.has(id) || validation.microDepositStatus === "TRANSFERRED";
    const errors = [errorOfRefusal(reason, validation)];
    await recordOutcome(tx, validation.id, { status: came ? "RETURNED" : "FAILED", errors, now });
  }
}

async function getValidation(tx: Tx, transferId: string) {
  const validation = await findValidationByTransfer(tx, transferId);
  if (!validation) throw new Error(`no validation of the micro deposit ${transferId}`);
  return validation;
}
