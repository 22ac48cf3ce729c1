/** Subscriber that notifies the people who decide about money of an infraction at once, because four days are short. */

import { written } from "../emails/index.ts";
import { emailAbout } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export async function emailAboutInfractions(
  tx: Tx,
  events: readonly StoredEvent<"infraction.reported">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id, objectId, payload } of events) {
    const infraction = { ...payload, id: objectId, answerDueAt: new Date(payload.answerDueAt) };
    await emailAbout(tx, services, { id, people: payload.admins }, written("infractionReported", infraction));
  }
}
