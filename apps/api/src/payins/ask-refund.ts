/** PAY-032: a person gives a payin back. */
import type { refundPayin } from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import { addCheckpoint } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { refundOf } from "./present.ts";
import { askForRefund } from "./refund.ts";
import { findRefund, isBlocked, lockPayin } from "./store.ts";

export async function refund(tx: Tx, call: Call<typeof refundPayin>, parts: Pick<Parts, "jobs">) {
  const { params, body, actor, now } = call;
  const payin = await lockPayin(tx, params.id);
  if (!payin) throw new AppError("not_found");
  // PAY-027: who may do nothing else may still give back what is blocked.
  if (!isBlocked(payin) && !holds(actor, "payin_refund")) throw new AppError("forbidden");
  const id = uuidv7(now.getTime());
  await askForRefund(tx, parts, payin, { id, amount: body.amount }, now);
  await audit(tx, call, "payin_refunded", payin.id, { refund: id, amount: body.amount });
  // PAY-035. A machine has no first steps to remember.
  if (actor.kind === "user") {
    await addCheckpoint(tx, { id: "PAYIN_REFUNDED", userId: actor.id, metadata: { payin: payin.id }, now });
  }
  const row = await findRefund(tx, id);
  if (!row) throw new Error(`the refund ${id} is gone`);
  return refundOf(row);
}
