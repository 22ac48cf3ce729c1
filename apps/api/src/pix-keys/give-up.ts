/** Giving a registered key up: money that payers send to it goes elsewhere from then on. */
import { expectAged } from "../controls/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { expectConfirmed } from "../session/index.ts";

/** A stolen token, or an admin who is new, gives no key up. A credential does what its maker may. */
export async function expectMayGiveUp(tx: Tx, parts: Parts, actor: Actor, now: Date): Promise<void> {
  if (actor.kind !== "user") return;
  await expectConfirmed(tx, parts, actor);
  await expectAged(tx, actor.id, now);
}
