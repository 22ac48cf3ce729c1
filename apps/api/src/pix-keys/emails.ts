/**
 * Subscriber that notifies all admins of a key that is claimed, lost or given up, because payers reach the company by
 * its keys.
 */

import { type WrittenEmail, written } from "../emails/index.ts";
import { emailAbout } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";
import type { PixKeyRow } from "./store.ts";

type PixKeyEvent = StoredEvent<"pix_key.asked_for" | "pix_key.lost" | "pix_key.given_up">;

export async function emailAboutPixKeys(
  tx: Tx,
  events: readonly PixKeyEvent[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const event of events)
    await emailAbout(tx, services, { id: event.id, people: event.payload.admins }, emailOf(event));
}

function emailOf({ type, objectId, payload }: PixKeyEvent): WrittenEmail {
  if (type === "pix_key.lost") return written("pixKeyLost", payload);
  if (type === "pix_key.given_up") return written("pixKeyGivenUp", payload);
  const answerUntil = new Date(payload.answerUntil);
  return written("pixKeyClaimed", { ...payload, id: objectId, answerUntil });
}

/** Returns the facts of a key that its events store. */
export const keySnapshot = ({ key_type: keyType, key }: PixKeyRow) => ({ keyType, key: key ?? "" });
