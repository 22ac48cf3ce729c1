/**
 * The subscriber that notifies users and admins, because a thief of an account would first change who may sign in and
 * how.
 */

import { queueEmail, type WrittenEmail, written } from "../emails/index.ts";
import { emailAbout, findPeopleWithRemoved } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export const userEvents = [
  "user.created",
  "user.access_changed",
  "user.removed",
  "user.factor_reset",
  "user.factor_changed",
  "user.recovery_codes_made",
  "user.recovery_code_used",
  "user.password_changed",
  "user.password_chosen",
] as const;
type UserEvent = StoredEvent<(typeof userEvents)[number]>;

export async function emailAboutUsers(
  tx: Tx,
  events: readonly UserEvent[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const event of events) {
    const { id: eventId } = event;
    const notice = noticeToAdmins(event);
    if (notice) await emailAbout(tx, services, { id: eventId, people: notice.admins }, notice.email);
    for (const to of await findPeopleWithRemoved(tx, accountsOf(event))) {
      const email = noticeOfAccount(event, to);
      if (email) await queueEmail(tx, services, email, { to, now: services.clock.now(), eventId });
    }
  }
}

/** Returns the notice to admins; undefined for users who only read. */
function noticeToAdmins({ type, payload }: UserEvent): { admins: string[]; email: WrittenEmail } | undefined {
  switch (type) {
    case "user.created":
      if (payload.profile === "analyst") return undefined;
      return { admins: payload.admins, email: written("userCreated", payload) };
    case "user.access_changed": {
      const isAdmin = payload.to === "admin";
      if (!isAdmin && payload.from !== "admin") return undefined;
      return { admins: payload.admins, email: written("adminChanged", { ...payload, isAdmin }) };
    }
    case "user.removed":
      if (payload.profile !== "admin") return undefined;
      return { admins: payload.admins, email: written("adminRemoved", payload) };
    case "user.factor_changed":
      return {
        admins: payload.admins,
        email: written("factorChanged", { by: payload.name, isOn: payload.isOn }),
      };
    default:
      return undefined;
  }
}

/** Returns the users who get the notice about an account's sign-in. */
function accountsOf({ type, objectId, payload }: UserEvent): string[] {
  if (type === "user.factor_reset") return [objectId, ...payload.admins];
  return type === "user.created" || type === "user.access_changed" || type === "user.removed"
    ? []
    : [objectId];
}

function noticeOfAccount(
  { type, objectId, payload, at }: UserEvent,
  { id, email }: { id: string; email: string },
): WrittenEmail | undefined {
  const account = { email, at };
  switch (type) {
    case "user.factor_reset":
      return id === objectId
        ? written("ownFactorReset", { ...account, by: payload.by })
        : written("factorReset", { ...account, by: payload.by, whose: payload });
    case "user.factor_changed":
      return written("ownFactorChanged", { ...account, isOn: payload.isOn });
    case "user.recovery_codes_made":
      return written("recoveryCodesMade", account);
    case "user.recovery_code_used":
      return written("recoveryCodeUsed", { ...account, left: payload.left });
    case "user.password_changed":
      return written("passwordChanged", { ...account, endedCredentials: payload.endedCredentials });
    case "user.password_chosen":
      return written("passwordChosen", account);
    default:
      return undefined;
  }
}
