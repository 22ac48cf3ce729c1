/** Creating, changing and removing the people of a company (COM-018 to COM-025). */
import { type Application, applications } from "@malote/contracts/policy";
import type * as contracts from "@malote/contracts/users";
import { isEmail, normaliseEmail } from "@malote/domain/email";
import { usersMax } from "@malote/domain/limits";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { refuseApplications, refuseUserChange, type UserStanding } from "@malote/domain/user-change";
import { lockAdding } from "../company/index.ts";
import { revokeAbove } from "../developer/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { endEverySession } from "../session/index.ts";
import { writePasswordLetter } from "./letters.ts";
import { userOnWire } from "./present.ts";
import {
  changeAccess,
  claimEmail,
  countUsers,
  insertUser,
  lockUsers,
  removeUser as removeStoredUser,
  type StoredUser,
} from "./store.ts";

const standing = ({ id, profile, applications: own }: StoredUser): UserStanding => ({
  id,
  isAdmin: profile === "admin",
  applications: own,
});

/** Each once, in the order of the table. */
const inOrder = (given: readonly Application[]) => applications.filter((id) => given.includes(id));

/** The admin as they are now, which another one may have changed since the call was let in, and the person meant. */
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
  const [actor] = await lockUsers(tx, [call.actor.id]);
  if (!actor) throw new AppError("not_authenticated");
  const given = inOrder(body.applications);
  const refusal = refuseApplications(standing(actor), given);
  if (refusal) throw new AppError(refusal);

  await lockAdding(tx);
  if ((await countUsers(tx)) >= usersMax)
    throw new AppError("users_too_many", { max: usersMax.toLocaleString("pt-BR") });
  const access = { profile: body.profile, applications: given };
  const user = { id: uuidv7(now.getTime()), name: normalisePersonName(body.name), email, ...access };
  if (!(await claimEmail(tx, email, user.id))) throw new AppError("user_email_taken");
  await insertUser(tx, { ...user, now });
  await writePasswordLetter(tx, parts, { to: { ...user, hasPassword: false }, from: actor, now });
  await audit(tx, call, "user.created", user.id, { name: user.name, email, ...access });
  return userOnWire({ ...user, hasTwoFactor: false, hasPassword: false });
}

export async function changeUser(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.changeUser | typeof contracts.changeValidationUser>,
) {
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const access = { profile: call.body.profile, applications: inOrder(call.body.applications) };
  const refusal = refuseUserChange(standing(actor), standing(target), access.applications);
  if (refusal) throw new AppError(refusal);

  const { profile } = target;
  const before = { profile, applications: inOrder(target.applications) };
  if (profile !== access.profile || before.applications.join() !== access.applications.join()) {
    await changeAccess(tx, target.id, access);
    await endEverySession(tx, target.id, undefined, realTime(parts.clock).now());
    await revokeAbove(tx, call, target.id, access);
    await audit(tx, call, "user.access_changed", target.id, { ...access, before });
  }
  return userOnWire({ ...target, ...access });
}

export async function removeUser(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.removeUser | typeof contracts.removeValidationUser>,
) {
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(standing(actor), standing(target));
  if (refusal) throw new AppError(refusal);
  await removeStoredUser(tx, target.id, call.now);
  await endEverySession(tx, target.id, undefined, realTime(parts.clock).now());
  await revokeAbove(tx, call, target.id);
  const { name, email, profile } = target;
  await audit(tx, call, "user.removed", target.id, { name, email, profile });
  return { ok: true as const };
}

/** For somebody whose link is over, or who forgot their password: an admin has it sent, and never sees it. */
export async function sendPasswordLink(
  tx: Tx,
  parts: Parts,
  call: Call<typeof contracts.sendPasswordLink | typeof contracts.sendValidationPasswordLink>,
) {
  const { actor, target } = await lockBoth(tx, call.actor.id, call.params.id);
  const refusal = refuseUserChange(standing(actor), standing(target));
  if (refusal) throw new AppError(refusal);
  await writePasswordLetter(tx, parts, { to: target, from: actor, now: call.now });
  await audit(tx, call, "user.password_link_sent", target.id);
  return { ok: true as const };
}
