import type { deletePixKey, PixKeyOnWire } from "@malote/contracts/pix-keys";
import { mayBeDeleted } from "@malote/domain/own-pix-key";
import { readCompany } from "../company/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { keySnapshot } from "./emails.ts";
import { requireMayGiveUp } from "./give-up.ts";
import { pixKeyOnWire } from "./present.ts";
import { withDirectoryRequest } from "./request.ts";
import { lockPixKey, writePixKey } from "./store.ts";

/**
 * Removes a key: a registered one when the directory has confirmed it, any other at once, because the directory does
 * not know it. Repeating the call for a removed key changes nothing.
 */
export async function removePixKey(
  tx: Tx,
  call: Call<typeof deletePixKey>,
  services: Services,
): Promise<PixKeyOnWire> {
  const { params, now } = call;
  const company = await readCompany(tx);
  const row = await lockPixKey(tx, params.id);
  if (!row) throw new AppError("not_found");
  if (row.status === "REMOVED" || row.status === "PENDING_REMOVAL") return pixKeyOnWire(row, company);
  if (!mayBeDeleted(row.status)) throw new AppError("pix_key_changed");
  if (row.ask) throw new AppError("pix_key_busy");
  const isInUse = row.status === "REGISTERED";
  if (isInUse) await requireMayGiveUp(tx, services, call.actor, now);
  const next = isInUse
    ? await withDirectoryRequest(tx, services, { ...row, status: "PENDING_REMOVAL" }, "remove", now)
    : ({ ...row, status: "REMOVED", updated_at: now, code_secret: null } as const);
  await writePixKey(tx, next);
  await audit(tx, call, "pix_key_deleted", row.id, { status: row.status });
  if (isInUse)
    await emit(tx, emissionOf(call), {
      type: "pix_key.given_up",
      objectId: row.id,
      payload: { ...keySnapshot(row), admins: await listAdminIds(tx), by: call.actor.name, how: "delete" },
    });
  return pixKeyOnWire(next, company);
}
