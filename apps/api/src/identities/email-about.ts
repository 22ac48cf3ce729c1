/** E-mails about what happened, to the users that an event names. */
import { queueEmail, type WrittenEmail } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { findPeopleWithRemoved } from "./people-store.ts";

/** Queues e-mails about an event for the given users. */
export async function emailAbout(
  tx: Tx,
  services: Pick<Services, "clock" | "config" | "jobs">,
  event: { id: string; people: readonly string[] },
  email: WrittenEmail,
): Promise<void> {
  for (const person of await findPeopleWithRemoved(tx, event.people))
    await queueEmail(tx, services, email, { to: person, now: services.clock.now(), eventId: event.id });
}
