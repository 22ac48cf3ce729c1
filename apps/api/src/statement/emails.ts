/**
 * Subscriber that e-mails about a withdrawal that the network refused or the other bank returned, because no screen
 * waits for it.
 */

import { written } from "../emails/index.ts";
import { emailAbout } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export async function emailAboutWithdrawals(
  tx: Tx,
  events: readonly StoredEvent<"withdrawal.returned">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id, payload } of events)
    await emailAbout(tx, services, { id, people: payload.admins }, written("withdrawalReturned", payload));
}
