/** Giving up a registered key, after which money that payers send to it goes elsewhere. */
import { expectAged } from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { expectConfirmed } from "../session/index.ts";

/**
 * Requires a person with the password who is not new: neither a stolen token nor a credential, which has no password,
 * may give up a key.
 */
export async function expectMayGiveUp(tx: Tx, services: Services, actor: Actor, now: Date): Promise<void> {
  if (actor.kind !== "user") throw new AppError("person_only");
  await expectConfirmed(tx, services, actor);
  await expectAged(tx, actor.id, now);
}
