/**
 * The subscriber that e-mails about credentials, because a credential outlasts a session and signs in without a second
 * factor.
 */

import { queueEmail, written } from "../emails/index.ts";
import { emailAbout, findPerson } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export async function emailAboutCredentials(
  tx: Tx,
  events: readonly StoredEvent<"credential.created" | "credential.revoked">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id, type, payload, at } of events) {
    const isNew = type === "credential.created";
    const { admins, owner, ...credential } = payload;
    await emailAbout(
      tx,
      services,
      { id, people: admins },
      written(isNew ? "credentialCreated" : "credentialRevoked", credential),
    );
    const to = await findPerson(tx, owner);
    if (!to) continue;
    const own = { ...credential, email: to.email, at };
    const email = written(isNew ? "ownCredentialCreated" : "ownCredentialRevoked", own);
    await queueEmail(tx, services, email, { to, now: services.clock.now(), eventId: id });
  }
}
