/**
 * Who is calling? The signature says which session a token belongs to; everything else is asked of the database at this
 * very moment, so that a logout, a new role or a new password counts for the next call.
 */
import type { TokenContent } from "@malote/contracts/session";
import type { FastifyRequest } from "fastify";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import type { Parts } from "../platform/parts.ts";
import {
  type Ask,
  askAtOnce,
  type BearerFacts,
  findBearerOfCredential,
  findBearerOfSession,
} from "./bearer-store.ts";

export type Authenticate = (request: Pick<FastifyRequest, "headers">) => Promise<Actor>;

const bearerPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

export function createAuthenticate(parts: Pick<Parts, "db" | "secrets" | "clock">): Authenticate {
  const tokens = openTokens(parts);
  const time = realTime(parts.clock);
  const ask = askAtOnce(parts.db);
  return async (request) => {
    const token = bearerPattern.exec(request.headers.authorization ?? "")?.[1];
    if (!token) throw new AppError("not_authenticated");
    const content = await tokens.read(token);
    const bearer = await findBearer(ask, content, time.now());
    if (!bearer?.applications.includes(content.application.id)) throw new AppError("not_authenticated");
    return actorOf(bearer, content);
  };
}

const findBearer = (ask: Ask, { kind, company, sid, sub }: TokenContent, now: Date) =>
  kind === "machine"
    ? findBearerOfCredential(ask, company.id, sub)
    : findBearerOfSession(ask, { companyId: company.id, id: sid, userId: sub }, now);

const actorOf = (bearer: BearerFacts, { kind, sid, jti, application }: TokenContent): Actor => ({
  kind,
  id: bearer.id,
  name: bearer.name,
  companyId: bearer.company.id,
  sessionId: sid,
  tokenId: jti,
  application: application.id,
  profile: bearer.profile,
  permissions: bearer.permissions,
  featureFlags: bearer.featureFlags,
  mustEnableTwoFactor: kind === "user" && bearer.twoFactorEnforced && !bearer.twoFactorEnabled,
});
