/** PAY-032: a person returns a payin. */
import type * as contracts from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import { cents, formatBrl } from "@malote/domain/money";
import { isPixPayin, refusalOfRefund } from "@malote/domain/payin";
import { addCheckpoint, requireFunction } from "../company/index.ts";
import { type ExecuteRequest, passControls, recordUnapprovedOutflow } from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { eventActorOf } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { refundOf } from "./present.ts";
import { requestRefund } from "./refund.ts";
import { findRefund } from "./refund-store.ts";
import { isBlocked, isShown, lockPayin, type PayinRow, payinFactsOf } from "./store.ts";

export async function refundPayin(
  tx: Tx,
  call: Call<typeof contracts.refundPayin>,
  services: Pick<Services, "jobs" | "config">,
) {
  const { params, body, actor, now } = call;
  const payin = await lockPayin(tx, params.id);
  if (!payin || !isShown(payin)) throw new AppError("not_found");
  // PAY-027: people without other rights may still return blocked money.
  if (!isBlocked(payin) && !holds(actor, "payin_refund")) throw new AppError("forbidden");
  const refusal = refusalOfRefund(payinFactsOf(payin), cents(body.amount), now);
  if (refusal) throw new AppError(refusal);
  await requireMayRefund(tx, payin);
  const passed = await passControls(tx, call, {
    kind: "PAYIN_REFUND",
    objectId: payin.id,
    amount: body.amount,
    payload: { amount: body.amount },
    facts: [
      { label: "Devolver", value: formatBrl(cents(body.amount)) },
      { label: "Ao pagador", value: payin.payer_name ?? "Não informado" },
      { label: "Recebido", value: formatBrl(cents(payin.received_amount)) },
    ],
  });
  if (passed.kind === "waits")
    return {
      id: passed.requestId,
      amount: body.amount,
      created_at: now.toISOString(),
      receipt_file_url: null,
      status: "processing" as const,
      error: null,
      awaits_approval: true,
    };
  const id = uuidv7(now.getTime());
  await requestRefund(tx, services, payin, { id, amount: body.amount, by: eventActorOf(actor) }, now);
  await recordUnapprovedOutflow(tx, {
    id,
    kind: "PAYIN_REFUND",
    amount: body.amount,
    people: passed.people,
    now,
  });
  await audit(tx, call, "payin_refunded", payin.id, { refund: id, amount: body.amount });
  await recordFirstRefund(tx, payin.id, actor, now);
  const row = await findRefund(tx, id);
  if (!row) throw new Error(`the refund ${id} is gone`);
  return refundOf(row);
}

/** PAY-027: blocked money may return to its payer even while functions are suspended. */
async function requireMayRefund(tx: Tx, payin: PayinRow): Promise<void> {
  if (isBlocked(payin)) return;
  await requireFunction(tx, "payin_refund");
  if (isPixPayin(payin.payment_type)) await requireFunction(tx, "payout_pix_refund");
}

/** Records the first refund of a person (PAY-035); a credential has no first steps. */
async function recordFirstRefund(
  tx: Tx,
  payinId: string,
  { kind, id: userId }: Pick<Actor, "kind" | "id">,
  now: Date,
): Promise<void> {
  if (kind !== "user") return;
  await addCheckpoint(tx, { id: "PAYIN_REFUNDED", userId, metadata: { payin: payinId }, now });
}

/** Carries out an approved refund; checks it again first. */
export const executeRefund =
  (services: Pick<Services, "jobs">): ExecuteRequest<"PAYIN_REFUND"> =>
  async (tx, { objectId, payload }, { actor, now }) => {
    const { amount } = payload;
    const payin = await lockPayin(tx, objectId);
    if (!payin) throw new AppError("not_found");
    await requireMayRefund(tx, payin);
    await requestRefund(
      tx,
      services,
      payin,
      { id: uuidv7(now.getTime()), amount, by: eventActorOf(actor) },
      now,
    );
    await recordFirstRefund(tx, payin.id, actor, now);
  };
