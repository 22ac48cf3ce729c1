/** Deletes saved receivers. Payments keep their receiver's data, and paying it again saves it again (decision 0014). */
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

/** Deletes several receivers; one that was deleted meanwhile is no error. */
export async function removeMany(tx: Tx, call: Call<typeof contracts.removeReceivers>) {
  const removed = await deleteReceivers(tx, call.body.ids);
  await audit(tx, call, "receivers_removed", undefined, { removed });
  return { removed: removed.length };
}
