/**
 * Who is calling? The signature says which session a token belongs to; everything else is asked of the database at this
 * very moment, so that a logout, a new role or a new password counts for the next call.
 */
import type { Application, Profile } from "@malote/contracts/policy";
import type { TokenContent } from "@malote/contracts/session";
import type { FastifyRequest } from "fastify";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { findBearerOfCredential, findBearerOfSession } from "./bearer-store.ts";

export type Authenticate = (request: Pick<FastifyRequest, "headers">) => Promise<Actor>;

const bearerPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

export function createAuthenticate(parts: Pick<Parts, "db" | "secrets" | "clock">): Authenticate {
  const tokens = openTokens(parts);
  const time = realTime(parts.clock);
  return async (request) => {
    const token = bearerPattern.exec(request.headers.authorization ?? "")?.[1];
    if (!token) throw new AppError("not_authenticated");
    const content = await tokens.read(token);
    const actor = await parts.db.withCompany(content.company.id, (tx) => actorOf(tx, content, time.now()));
    if (!actor) throw new AppError("not_authenticated");
    return actor;
  };
}

export async function actorOf(tx: Tx, content: TokenContent, now: Date): Promise<Actor | undefined> {
  const bearer =
    content.kind === "machine"
      ? await findBearerOfCredential(tx, content.sub)
      : await findBearerOfSession(tx, content.sid, content.sub, now);
  if (!bearer?.applications.includes(content.application.id)) return undefined;
  return {
    kind: content.kind,
    id: bearer.id,
    name: bearer.name,
    companyId: tx.companyId,
    sessionId: content.sid,
    application: content.application.id satisfies Application,
    profile: bearer.profile satisfies Profile,
    permissions: bearer.permissions,
    featureFlags: bearer.featureFlags,
    mustEnableTwoFactor: content.kind === "user" && bearer.twoFactorEnforced && !bearer.twoFactorEnabled,
  };
}
