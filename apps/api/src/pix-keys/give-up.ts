/** Giving up a registered key, after which money that payers send to it goes elsewhere. */
import { requireAged } from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { requireIdentityConfirmed } from "../session/index.ts";

/**
 * Requires a person with the password who is not new: neither a stolen token nor a credential, which has no password,
 * may give up a key.
 */
export async function requireMayGiveUp(tx: Tx, services: Services, actor: Actor, now: Date): Promise<void> {
  if (actor.kind !== "user") throw new AppError("person_only");
  await requireIdentityConfirmed(tx, services, actor);
  await requireAged(tx, actor.id, now);
}
