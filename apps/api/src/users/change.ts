/** Creating, changing and removing the people of a company (COM-018 to COM-025). */
import { type Application, applications } from "@malote/contracts/policy";
import { profileNames } from "@malote/contracts/profiles";
import type * as contracts from "@malote/contracts/users";
import { auditChanges } from "@malote/domain/audit-trail";
import { isEmail, normaliseEmail } from "@malote/domain/email";
import { usersMax } from "@malote/domain/limits";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { refuseApplications, refuseUserChange, type UserAccess } from "@malote/domain/user-change";
import { emailAdmins, lockAdding } from "../company/index.ts";
import { expectAged } from "../controls/index.ts";
import { revokeAbove } from "../developer/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { endEverySession, expectConfirmed, queueSecurityEmail, removeTwoFactor } from "../session/index.ts";
import { emailAddressTaken, emailPasswordLink, type PasswordEmail } from "./emails.ts";
import { userOnWire } from "./present.ts";
import {
  changeAccess,
  claimEmail,
  countUsers,
  insertUser,
  isEmailOfColleague,
  lockUsers,
  otherAdmins,
  removeUser as removeStoredUser,
  type StoredUser,
} from "./store.ts";

const accessOf = ({ id, profile, applications: own }: StoredUser): UserAccess => ({
  id,
  isAdmin: profile === "admin",
  applications: own,
});

/** Each once, in the order of the table. */
const inOrder = (given: readonly Application[]) => applications.filter((id) => given.includes(id));

/** The admin as they are now, which another one may have changed since the call was let in, and the person concerned. */
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
  parts: Parts,
  call: Call<typeof contracts.createUser | typeof contracts.createValidationUser>,
) {
  const { body, now } = call;
  if (!isFullName(body.name)) throw new AppError("name_incomplete");
  const email = normaliseEmail(body.email);
  if (!isEmail(email)) throw new AppError("user_email_invalid");
  await expectConfirmed(tx, parts, call.actor);
  const [actor] = await lockUsers(tx, [call.actor.id]);
  if (!actor) throw new AppError("not_authenticated");
  const given = inOrder(body.applications);
  const refusal = refuseApplications(accessOf(actor), given);
  if (refusal) throw new AppError(refusal);
  // A new admin lets in whoever only looks, and changes nobody.
  if (body.profile !== "analyst") await expectAged(tx, actor.id, now);

  await lockAdding(tx);
  if ((await countUsers(tx)) >= usersMax)
    throw new AppError("users_too_many", { max: usersMax.toLocaleString("pt-BR") });
  const access = { profile: body.profile, applications: given };
  const user = { id: uuidv7(now.getTime()), name: normalisePersonName(body.name), email, ...access };
  if (await isEmailOfColleague(tx, email)) throw new AppError("user_email_taken");
  await insertUser(tx, { ...user, by: actor.id, now });
  await emailAccessLink(tx, parts, { to: { ...user, hasPassword: false }, from: actor, now });
  await audit(tx, call, "user.created", user.id, {
    changes: auditChanges({}, { name: user.name, email, ...access }),
  });
  // Whoever prepares payments counts as another person from tomorrow on: until then the other admins can undo it.
  if (access.profile !== "analyst")
    await emailAdmins(tx, parts, {
      subject: `Sua empresa tem um novo ${profileNames[access.profile].toLowerCase()}`,
      what: `${call.actor.name} criou o acesso de ${profileNames[access.profile].toLowerCase()} de ${user.name} (${email}).`,
      page: "/minha-empresa/usuarios",
      now,
    });
  return userOnWire({ ...user, hasTwoFactor: false, hasPassword: false });
}

/**
 * Whoever signs in by this e-mail at another company is informed so themselves, and nobody else is: the person is in the list
 * as one who has not chosen a password, like anybody new.
 */
async function emailAccessLink(tx: Tx, parts: Parts, email: PasswordEmail): Promise<void> {
  const isTheirs = await claimEmail(tx, email.to.email, email.to.id);
  await (isTheirs ? emailPasswordLink(tx, parts, email) : emailAddressTaken(tx, parts, email));
}

export async function changeUser(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.changeUser | typeof contracts.changeValidationUser>,
) {
  await expectConfirmed(tx, parts, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const access = { profile: call.body.profile, applications: inOrder(call.body.applications) };
  const refusal = refuseUserChange(accessOf(actor), accessOf(target), access.applications);
  if (refusal) throw new AppError(refusal);
  await expectAged(tx, actor.id, call.now);

  const { profile } = target;
  const before = { profile, applications: inOrder(target.applications) };
  if (profile !== access.profile || before.applications.join() !== access.applications.join()) {
    await changeAccess(tx, target.id, access, { by: actor.id, now: call.now });
    await endEverySession(tx, target.id, undefined, realTime(parts.clock).now());
    await revokeAbove(tx, call, target.id, access);
    await audit(tx, call, "user.access_changed", target.id, {
      name: target.name,
      changes: auditChanges(before, access),
    });
    if (access.profile === "admin" || profile === "admin")
      await emailAdmins(tx, parts, {
        subject:
          access.profile === "admin"
            ? "Sua empresa tem um novo administrador"
            : "Um administrador perdeu o acesso",
        what: `${call.actor.name} mudou o acesso de ${target.name} (${target.email}).`,
        page: "/minha-empresa/usuarios",
        now: call.now,
      });
  }
  return userOnWire({ ...target, ...access });
}

export async function removeUser(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.removeUser | typeof contracts.removeValidationUser>,
) {
  await expectConfirmed(tx, parts, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await expectAged(tx, actor.id, call.now);
  // Before they are gone, so that they read of it too.
  if (target.profile === "admin")
    await emailAdmins(tx, parts, {
      subject: "Um administrador foi excluído",
      what: `${call.actor.name} excluiu o acesso de ${target.name} (${target.email}).`,
      page: "/minha-empresa/usuarios",
      now: call.now,
    });
  await removeStoredUser(tx, target.id, call.now);
  await endEverySession(tx, target.id, undefined, realTime(parts.clock).now());
  await revokeAbove(tx, call, target.id);
  const { name, email, profile } = target;
  const had = { name, email, profile, applications: inOrder(target.applications) };
  await audit(tx, call, "user.removed", target.id, { changes: auditChanges(had, {}) });
  return { ok: true as const };
}

/** For somebody who lost phone and recovery codes. Announced to them and to every other admin: it is also what a thief would ask for. */
export async function resetTwoFactor(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.resetTwoFactor | typeof contracts.resetValidationTwoFactor>,
) {
  await expectConfirmed(tx, parts, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await expectAged(tx, actor.id, call.now);
  if (!target.hasTwoFactor) throw new AppError("second_factor_already_off");
  await removeTwoFactor(tx, parts, target.id);
  await audit(tx, call, "two_factor.reset", target.id, {
    name: target.name,
    changes: auditChanges({ two_factor: true }, { two_factor: false }),
  });
  await queueSecurityEmail(tx, parts, {
    to: target,
    subject: "Sua autenticação em 2 fatores foi desativada",
    what: `${actor.name} desativou a autenticação em 2 fatores da sua conta, a seu pedido. Entre com a senha e ative-a de novo em Minha conta, Segurança.`,
    now: call.now,
  });
  for (const admin of await otherAdmins(tx, [actor.id, target.id]))
    await queueSecurityEmail(tx, parts, {
      to: admin,
      subject: `Autenticação em 2 fatores de ${target.name} desativada`,
      what: `${actor.name} desativou a autenticação em 2 fatores de ${target.name} (${target.email}). Confirme com os dois se isso era esperado.`,
      now: call.now,
    });
  return { ok: true as const };
}

/** For somebody whose link is over, or who forgot their password: an admin has it sent, and never sees it. */
export async function sendPasswordLink(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.sendPasswordLink | typeof contracts.sendValidationPasswordLink>,
) {
  await expectConfirmed(tx, parts, call.actor);
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(accessOf(actor), accessOf(target));
  if (refusal) throw new AppError(refusal);
  await expectAged(tx, actor.id, call.now);
  await emailAccessLink(tx, parts, { to: target, from: actor, now: call.now });
  await audit(tx, call, "user.password_link_sent", target.id, { name: target.name });
  return { ok: true as const };
}
