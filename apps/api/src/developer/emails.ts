/** The subscriber: a credential lasts longer than a session and signs in without a factor. */
import { emailAbout, findPerson } from "../company/index.ts";
import { queueEmail, written } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Parts } from "../platform/parts.ts";

export async function emailAboutCredentials(
  tx: Tx,
  events: readonly StoredEvent<"credential.created" | "credential.revoked">[],
  parts: Pick<Parts, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id, type, payload, at } of events) {
    const isNew = type === "credential.created";
    const { admins, owner, ...credential } = payload;
    await emailAbout(
      tx,
      parts,
      { id, people: admins },
      written(isNew ? "credentialCreated" : "credentialRevoked", credential),
    );
    const to = await findPerson(tx, owner);
    if (!to) continue;
    const own = { ...credential, email: to.email, at };
    const email = written(isNew ? "ownCredentialCreated" : "ownCredentialRevoked", own);
    await queueEmail(tx, parts, email, { to, now: parts.clock.now(), eventId: id });
  }
}
