/** Claims of a key held elsewhere, their cancellation, and answers to the claimer of one of our keys. */
import type * as contracts from "@malote/contracts/pix-keys";
import { holds, type Permission } from "@malote/contracts/policy";
import { dayMs } from "@malote/domain/durations";
import {
  answerBySilence,
  awaitsOurAnswer,
  claimDays,
  claimKindOf,
  mayCancelClaim,
  mayClaim,
  type PixKeyStatus,
} from "@malote/domain/own-pix-key";
import { readCompany } from "../company/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { type AuditContext, audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { keySnapshot } from "./emails.ts";
import { requireMayGiveUp } from "./give-up.ts";
import { pixKeyOnWire } from "./present.ts";
import { withDirectoryRequest } from "./request.ts";
import { listKeysToAnswerSince, lockPixKey, type PixKeyRow, writePixKey } from "./store.ts";

async function lock(tx: Tx, id: string, fits: (status: PixKeyStatus) => boolean): Promise<PixKeyRow> {
  const row = await lockPixKey(tx, id);
  if (!row) throw new AppError("not_found");
  if (!fits(row.status)) throw new AppError("pix_key_changed");
  if (row.ask) throw new AppError("pix_key_busy");
  return row;
}

const showKey = async (tx: Tx, row: PixKeyRow) => pixKeyOnWire(row, await readCompany(tx));

export async function claimPixKey(
  tx: Tx,
  call: Call<typeof contracts.claimPixKey>,
  services: Services,
): Promise<contracts.PixKeyOnWire> {
  const row = await lock(tx, call.params.id, mayClaim);
  const status = row.status === "WAITING_CLAIM" ? "CLAIM_REQUESTED" : "PORTABILITY_REQUESTED";
  const withRequest = await withDirectoryRequest(tx, services, { ...row, status }, "claim", call.now);
  await writePixKey(tx, withRequest);
  await audit(tx, call, "pix_key_claimed", row.id, { kind: claimKindOf(status) });
  return showKey(tx, withRequest);
}

/** PIX-040 for our own claim, PIX-043 for another institution's. */
export async function cancelClaim(
  tx: Tx,
  call: Call<typeof contracts.cancelPixKeyClaim>,
  services: Services,
): Promise<contracts.PixKeyOnWire> {
  const row = await lock(tx, call.params.id, (status) => mayCancelClaim(status) || awaitsOurAnswer(status));
  const permission: Permission = awaitsOurAnswer(row.status)
    ? "pix_key_accept_portability"
    : "pix_key_register";
  if (!holds(call.actor, permission)) throw new AppError("forbidden");
  if (awaitsOurAnswer(row.status)) return showKey(tx, await answer(tx, services, row, "keep", call));

  const status = row.status === "CLAIM_IN_PROGRESS" ? "WAITING_CLAIM" : "WAITING_PORTABILITY";
  const withRequest = await withDirectoryRequest(tx, services, { ...row, status }, "cancel_claim", call.now);
  await writePixKey(tx, withRequest);
  await audit(tx, call, "pix_key_claim_taken_back", row.id);
  return showKey(tx, withRequest);
}

export async function confirmClaim(
  tx: Tx,
  call: Call<typeof contracts.confirmPixKeyClaim>,
  services: Services,
): Promise<contracts.PixKeyOnWire> {
  const row = await lock(tx, call.params.id, awaitsOurAnswer);
  await requireMayGiveUp(tx, services, call.actor, call.now);
  await emit(tx, emissionOf(call), {
    type: "pix_key.given_up",
    objectId: row.id,
    payload: { ...keySnapshot(row), admins: await listAdminIds(tx), by: call.actor.name, how: "release" },
  });
  return showKey(tx, await answer(tx, services, row, "release", call));
}

/**
 * Answers a claim of our key. A kept key is registered again at once; a released one leaves when the directory has
 * moved it.
 */
async function answer(
  tx: Tx,
  services: Services,
  row: PixKeyRow,
  given: "keep" | "release",
  acting: AuditContext,
): Promise<PixKeyRow> {
  const isKept = given === "keep";
  const status = isKept ? "REGISTERED" : "PENDING_REMOVAL";
  const withRequest = await withDirectoryRequest(
    tx,
    services,
    { ...row, status },
    isKept ? "cancel_claim" : "confirm_claim",
    acting.now,
  );
  await writePixKey(tx, withRequest);
  await audit(tx, acting, isKept ? "pix_key_kept" : "pix_key_released", row.id, { status: row.status });
  return withRequest;
}

/**
 * Answers on schedule, by the directory's rules, claims that the company left open for seven days: a portability ends,
 * and a claim is granted and the company's people are notified of the loss.
 */
export async function answerLateClaims(services: Services): Promise<void> {
  const now = services.clock.now();
  const since = new Date(now.getTime() - claimDays * dayMs);
  for (const { companyId, keyId } of await services.db.withSystem((tx) => listKeysToAnswerSince(tx, since))) {
    await services.db
      .withCompany(companyId, async (tx) => {
        const row = await lockPixKey(tx, keyId);
        const kind = row && awaitsOurAnswer(row.status) ? claimKindOf(row.status) : undefined;
        // A person answered at the last moment.
        if (!row || !kind || row.ask) return;
        const given = answerBySilence(kind);
        await answer(tx, services, row, given, { actor: "system", now });
        if (given === "release")
          await emit(
            tx,
            { now },
            {
              type: "pix_key.lost",
              objectId: row.id,
              payload: { ...keySnapshot(row), admins: await listAdminIds(tx) },
            },
          );
      })
      .catch((error: unknown) =>
        services.log.warn({ err: error, company: companyId }, "cannot answer a claim of a Pix key"),
      );
  }
}
