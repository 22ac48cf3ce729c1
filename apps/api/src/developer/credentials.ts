/** Creates, lists and revokes the credentials of an application (DEV-002 to DEV-006). */

import { randomBytes } from "node:crypto";
import * as contracts from "@malote/contracts/developer";
import { type Application, type Profile, profiles } from "@malote/contracts/policy";
import { instantOrNull } from "@malote/contracts/wire";
import { auditChanges } from "@malote/domain/audit-trail";
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { readCompany } from "../company/index.ts";
import { requireAged } from "../controls/index.ts";
import * as store from "../identities/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { type AuditContext, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { hashOfSecret, requireIdentityConfirmed } from "../session/index.ts";

const credentialOf = (row: store.CredentialRow): contracts.Credential => ({
  id: row.id,
  client_id: row.client_id,
  name: row.name,
  profile: row.profile,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by_name,
  last_used_at: instantOrNull(row.last_used_at),
});

/**
 * DEV-002: permits users with the validation application, and in companies with API access all other users with a
 * permitted profile.
 */
async function requireApiAccess(tx: Tx, actor: Actor): Promise<void> {
  if (await store.hasApplication(tx, actor.id, "validation")) return;
  if (!(await readCompany(tx)).settings.hasApiAccess) throw new AppError("forbidden");
}

export async function listCredentials(
  tx: Tx,
  { actor }: Call<typeof contracts.listCredentials | typeof contracts.listValidationCredentials>,
  application: Application,
) {
  await requireApiAccess(tx, actor);
  return { data: (await store.listCredentials(tx, application)).map(credentialOf) };
}

export async function createCredential(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.createCredential | typeof contracts.createValidationCredential>,
  application: Application,
): Promise<contracts.CreatedCredential> {
  const { actor, body, now } = call;
  await requireIdentityConfirmed(tx, services, actor);
  const maker = await store.lockMaker(tx, actor.id);
  // The user was changed or removed after the call was authorised, so their sessions have ended.
  if (maker?.profile !== actor.profile || !maker.applications.includes(application))
    throw new AppError("not_authenticated");
  await requireApiAccess(tx, actor);
  // A credential outlasts a session and signs in without a second factor. A new user's credential would survive the
  // reversal of their access.
  if (actor.profile !== "analyst") await requireAged(tx, actor.id, now);
  if ((await store.countCredentials(tx, application)) >= contracts.credentialsMax)
    throw new AppError("credentials_too_many", { max: contracts.credentialsMax });
  const id = uuidv7(now.getTime());
  const clientId = `api_${randomBytes(12).toString("hex")}`;
  // 256 random bits, so that an unsalted hash reveals nothing.
  const secret = `sec_${randomBytes(32).toString("base64url")}`;
  const name = body.name ?? `API ${formatDate(saoPauloDate(now))}`;
  // A credential gets at most its creator's rights, so that it cannot grant another profile.
  const { profile } = actor;
  await store.insertCredential(tx, {
    id,
    clientId,
    secretHash: hashOfSecret(secret),
    application,
    profile,
    name,
    createdBy: actor,
    now,
  });
  await audit(tx, call, "credential_created", id, {
    changes: auditChanges({}, { client_id: clientId, name, profile, application }),
  });
  await emitAbout(tx, call, "credential.created", { id, name, clientId });
  return {
    id,
    client_id: clientId,
    client_secret: secret,
    name,
    profile,
    created_at: now.toISOString(),
    created_by: actor.name,
    last_used_at: null,
  };
}

/** Emits an event that notifies all admins, and the creator if they are no admin: the token may be stolen. */
async function emitAbout(
  tx: Tx,
  call: { actor: Actor; now: Date; requestId: string },
  type: "credential.created" | "credential.revoked",
  { id, name, clientId }: { id: string; name: string; clientId: string },
): Promise<void> {
  const { actor } = call;
  const owner = actor.profile === "admin" ? null : actor.id;
  await emit(tx, emissionOf(call), {
    type,
    objectId: id,
    payload: { admins: await listAdminIds(tx), by: actor.name, owner, name, clientId },
  });
}

export async function revokeCredential(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.revokeCredential | typeof contracts.revokeValidationCredential>,
  application: Application,
) {
  const { actor, params, now } = call;
  // The company's systems sign in with this credential: neither a stolen token nor a fraudulently added user may revoke
  // it.
  await requireIdentityConfirmed(tx, services, actor);
  await requireApiAccess(tx, actor);
  const credential = await store.lockCredential(tx, application, params.id);
  if (!credential) throw new AppError("not_found");
  // An operator may not revoke a credential that only an admin may create.
  if (actor.profile !== "admin" && credential.profile === "admin") throw new AppError("forbidden");
  // Users may revoke their own credentials at any time.
  if (credential.created_by !== actor.id) await requireAged(tx, actor.id, now);
  await revokeOne(tx, call, { ...credential, application });
  const { id, name, client_id: clientId } = credential;
  await emitAbout(tx, call, "credential.revoked", { id, name, clientId });
  return { ok: true as const };
}

async function revokeOne(
  tx: Tx,
  call: AuditContext,
  { id, client_id, name, profile, application }: store.CredentialRow & { application: Application },
): Promise<void> {
  await store.markRevoked(tx, id, call.now);
  await audit(tx, call, "credential_revoked", id, {
    changes: auditChanges({ client_id, name, profile, application }, {}),
  });
}

/**
 * Revokes credentials that exceed their creator's new access, because the creator may still have the secrets. `access`
 * is undefined for a removed user.
 */
export async function revokeAbove(
  tx: Tx,
  call: AuditContext,
  userId: string,
  access?: { profile: Profile; applications: readonly Application[] },
): Promise<void> {
  const above = await store.lockCredentialsAbove(tx, userId, {
    profiles: access ? profiles.slice(profiles.indexOf(access.profile)) : [],
    applications: access?.applications ?? [],
  });
  for (const credential of above) await revokeOne(tx, call, credential);
}
