/**
 * Payments keep their receiver's data; only the saved receiver goes. Paying it again saves it again (decision 0014).
 */
import type * as contracts from "@malote/contracts/receivers";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { deleteReceivers } from "./store.ts";

export async function removeReceiver(tx: Tx, call: Call<typeof contracts.removeReceiver>) {
  const { id } = call.params;
  const removed = await deleteReceivers(tx, [id]);
  if (removed.length === 0) throw new AppError("not_found");
  await audit(tx, call, "receiver_removed", id);
  return { ok: true as const };
}

/** Receivers that were deleted meanwhile are gone, which is the wanted result. */
export async function removeMany(tx: Tx, call: Call<typeof contracts.removeReceivers>) {
  const removed = await deleteReceivers(tx, call.body.ids);
  await audit(tx, call, "receivers_removed", undefined, { removed });
  return { removed: removed.length };
}
