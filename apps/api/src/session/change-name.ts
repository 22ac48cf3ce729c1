/** Changes the user's own name (ACC-006 to ACC-008). */
import { auditChanges } from "@malote/domain/audit-trail";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { changeUserName } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { findBearerOfUser } from "./bearer-store.ts";
import { claimsOf } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { lockSession, replaceToken } from "./session-store.ts";

export async function changeName(tx: Tx, kit: SessionKit, actor: Actor, given: string, origin: Origin) {
  if (!isFullName(given)) throw new AppError("name_incomplete");
  const session = await lockSession(tx, actor.sessionId);
  // Only the session's newest token can be exchanged: an intercepted older one must not be renewed.
  if (session?.tokenId !== actor.tokenId) throw new AppError("not_authenticated");

  const name = normalisePersonName(given);
  await changeUserName(tx, actor.id, name);
  await audit(tx, { actor, ...origin }, "user.name_changed", actor.id, {
    changes: auditChanges({ name: actor.name }, { name }),
  });

  const bearer = await findBearerOfUser(tx, actor.id);
  if (!bearer) throw new AppError("not_authenticated");
  const now = kit.time.now();
  const tokenId = uuidv7(now.getTime());
  await replaceToken(tx, actor.sessionId, tokenId, now);
  const { sessionId, application } = actor;
  return {
    new_token: await kit.tokens.sign(claimsOf(bearer, { kind: "user", sessionId, tokenId, application })),
  };
}
