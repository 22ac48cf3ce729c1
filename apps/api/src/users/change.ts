/** Creates, changes and removes users of a company (COM-018 to COM-025). */
import { type Application, applications } from "@malote/contracts/policy";
import type * as contracts from "@malote/contracts/users";
import { auditChanges } from "@malote/domain/audit-trail";
import { isEmail, normaliseEmail } from "@malote/domain/email";
import { usersMax } from "@malote/domain/limits";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { refuseApplications, refuseUserChange, type UserAccess } from "@malote/domain/user-change";
import { lockCompany } from "../company/index.ts";
import { requireAged } from "../controls/index.ts";
import { revokeAbove } from "../developer/index.ts";
import {
  changeAccess,
  claimEmail,
  countUsers,
  deleteSignInName,
  insertUser,
  isEmailOfColleague,
  listAdminIds,
  listOtherAdmins,
  lockUsers,
  markUserRemoved,
  type StoredUser,
} from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import {
  deletePasswordLinks,
  endEverySession,
  removeTwoFactor,
  requireIdentityConfirmed,
} from "../session/index.ts";
import { emailAddressTaken, emailPasswordLink, type PasswordEmail } from "./access-links.ts";
import { userOnWire } from "./present.ts";

const accessOf = ({ id, profile, applications: own }: StoredUser): UserAccess => ({
  id,
  isAdmin: profile === "admin",
  applications: own,
});

/** Removes duplicates and sorts by the order of the table. */
const inOrder = (given: readonly Application[]) => applications.filter((id) => given.includes(id));

/**
 * Locks and returns the admin, whom another admin may have changed after the call was authorised, and the affected
 * user.
 */
async function lockBoth(tx: Tx, actorId: string, userId: string) {
  const locked = await lockUsers(tx, [actorId, userId]);
  const actor = locked.find(({ id }) => id === actorId);
  const target = locked.find(({ id }) => id === userId);
  if (!actor) throw new AppError("not_authenticated");
  if (!target) throw new AppError("not_found");
  return { actor, target };
}

export async function createUser(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.createUser | typeof contracts.createValidationUser>,
) {
  const { body, now } = call;
  if (!isFullName(body.name)) throw new AppError("name_incomplete");
  const email = normaliseEmail(body.email);
  if (!isEmail(email)) throw new AppError("user_email_invalid");
  await requireIdentityConfirmed(tx, services, call.actor);
  const [actor] = await lockUsers(tx, [call.actor.id]);
  if (!actor) throw new AppError("not_authenticated");
  const given = inOrder(body.applications);
  const refusal = refuseApplications(accessOf(actor), given);
  if (refusal) throw new AppError(refusal);
  // A new admin may invite only analysts and change no user.
  if (body.profile !== "analyst") await requireAged(tx, actor.id, now);

  await lockCompany(tx);
  if ((await countUsers(tx)) >= usersMax)
    throw new AppError("users_too_many", { max: usersMax.toLocaleString("pt-BR") });
  const access = { profile: body.profile, applications: given };
  const user = { id: uuidv7(now.getTime()), name: normalisePersonName(body.name), email, ...access };
  if (await isEmailOfColleague(tx, email)) throw new AppError("user_email_taken");
  await insertUser(tx, { ...user, by: actor.id, now });
  await emailAccessLink(tx, services, { to: { ...user, hasPassword: false }, from: actor, now });
  await audit(tx, call, "user.created", user.id, {
    changes: auditChanges({}, { name: user.name, email, ...access }),
  });
  await emit(tx, emissionOf(call), {
    type: "user.created",
    objectId: user.id,
    payload: {
      admins: await listAdminIds(tx),
      by: call.actor.name,
      name: user.name,
      email,
      profile: user.profile,
    },
  });
  return userOnWire({ ...user, hasTwoFactor: false, hasPassword: false });
}

/**
 * E-mails a new user. If the address signs in at another company, its owner is notified instead, and the inviting
 * company does not learn it: its list shows a user without a password, like any new one.
 */
async function emailAccessLink(tx: Tx, services: Services, email: PasswordEmail): Promise<void> {
  const isTheirs = await claimEmail(tx, email.to.email, email.to.id);
  await (isTheirs ? emailPasswordLink(tx, services, email) : emailAddressTaken(tx, services, email));
}

export async function changeUser(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.changeUser | typeof contracts.changeValidationUser>,
) {
  await requireIdentityConfirmed(tx, services, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const access = { profile: call.body.profile, applications: inOrder(call.body.applications) };
  const refusal = refuseUserChange(accessOf(actor), accessOf(target), access.applications);
  if (refusal) throw new AppError(refusal);
  await requireAged(tx, actor.id, call.now);

  const { profile } = target;
  const before = { profile, applications: inOrder(target.applications) };
  if (profile !== access.profile || before.applications.join() !== access.applications.join()) {
    await changeAccess(tx, target.id, access, { by: actor.id, now: call.now });
    await endEverySession(tx, target.id, undefined, realTime(services.clock).now());
    await revokeAbove(tx, call, target.id, access);
    await audit(tx, call, "user.access_changed", target.id, {
      name: target.name,
      changes: auditChanges(before, access),
    });
    await emit(tx, emissionOf(call), {
      type: "user.access_changed",
      objectId: target.id,
      payload: { ...(await readAboutUser(tx, call, target)), from: profile, to: access.profile },
    });
  }
  return userOnWire({ ...target, ...access });
}

export async function removeUser(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.removeUser | typeof contracts.removeValidationUser>,
) {
  await requireIdentityConfirmed(tx, services, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await requireAged(tx, actor.id, call.now);
  // Read before the removal, so that the removed user is notified too.
  const gone = await readAboutUser(tx, call, target);
  await markUserRemoved(tx, target.id, call.now);
  await deletePasswordLinks(tx, target.id);
  await deleteSignInName(tx, target.id);
  await endEverySession(tx, target.id, undefined, realTime(services.clock).now());
  await revokeAbove(tx, call, target.id);
  const { name, email, profile } = target;
  const had = { name, email, profile, applications: inOrder(target.applications) };
  await audit(tx, call, "user.removed", target.id, { changes: auditChanges(had, {}) });
  await emit(tx, emissionOf(call), {
    type: "user.removed",
    objectId: target.id,
    payload: { ...gone, profile },
  });
  return { ok: true as const };
}

/** Returns a snapshot for an event, because rows change and users are removed. */
const readAboutUser = async (
  tx: Tx,
  { actor }: { actor: { name: string } },
  { name, email }: StoredUser,
) => ({
  admins: await listAdminIds(tx),
  by: actor.name,
  name,
  email,
});

/**
 * Removes the second factor of a user who lost phone and recovery codes. Notifies the user and all other admins,
 * because a thief would make the same request.
 */
export async function resetTwoFactor(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.resetTwoFactor | typeof contracts.resetValidationTwoFactor>,
) {
  await requireIdentityConfirmed(tx, services, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await requireAged(tx, actor.id, call.now);
  if (!target.hasTwoFactor) throw new AppError("second_factor_already_off");
  await removeTwoFactor(tx, services, target.id);
  await audit(tx, call, "two_factor.reset", target.id, {
    name: target.name,
    changes: auditChanges({ two_factor: true }, { two_factor: false }),
  });
  await emit(tx, emissionOf(call), {
    type: "user.factor_reset",
    objectId: target.id,
    payload: {
      ...(await readAboutUser(tx, call, target)),
      admins: await listOtherAdmins(tx, [actor.id, target.id]),
    },
  });
  return { ok: true as const };
}

/** Sends a link to a user whose link expired or who forgot the password. The admin never sees it. */
export async function sendPasswordLink(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.sendPasswordLink | typeof contracts.sendValidationPasswordLink>,
) {
  await requireIdentityConfirmed(tx, services, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await requireAged(tx, actor.id, call.now);
  await emailAccessLink(tx, services, { to: target, from: actor, now: call.now });
  await audit(tx, call, "user.password_link_sent", target.id, { name: target.name });
  return { ok: true as const };
}
