/**
 * Locks the batch's row until the end of the transaction and returns it. Throws `not_found` for a missing or a system
 * batch.
 */
import { decideSave } from "@malote/domain/batch";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import * as store from "./store.ts";

export async function getLockedBatch(tx: Tx, id: string): Promise<store.BatchRow> {
  const batch = await store.lockBatch(tx, id);
  if (!batch || !store.isBatch(batch)) throw new AppError("not_found");
  return batch;
}

/** Locks and returns a batch whose payments this profile may still change. Throws for any other batch. */
export async function getDraft(
  tx: Tx,
  id: string,
  profile: "admin" | "operator" | "analyst",
): Promise<store.BatchRow> {
  const batch = await getLockedBatch(tx, id);
  const decision = decideSave({ status: batch.status, profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  return batch;
}
