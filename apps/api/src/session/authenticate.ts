/**
 * Authenticates the caller. The signature identifies the session; everything else is read from the database at this
 * moment, so that a logout, a new role or a new password applies to the next call. A read may use the bearer of an
 * earlier call: then one value that changes with all of this is compared on the round trip of the read.
 */
import type { TokenContent } from "@malote/contracts/session";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import type { Condition } from "../platform/db/screen-reads.ts";
import type { Caller } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import {
  type Ask,
  askAtOnce,
  type BearerFacts,
  findBearerOfCredential,
  findBearerOfSession,
} from "./bearer-store.ts";

export type Authenticate = (
  request: Pick<FastifyRequest, "headers">,
  /** Only for who reads for a screen, and holds the condition that comes along. */
  mayRemember?: boolean,
) => Promise<Caller>;

/** Real milliseconds in which a session can end by its own age unnoticed. */
const rememberedMs = 1_000;
const rememberedMax = 4_000;

const bearerPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

export function createAuthenticate(services: Pick<Services, "db" | "secrets" | "clock">): Authenticate {
  const tokens = openTokens(services);
  const time = realTime(services.clock);
  const ask = askAtOnce(services.db);
  /** Oldest first. */
  const remembered = new Map<string, Caller & { since: number }>();
  function remember(token: string, actor: Actor, epoch: string | null, since: number): void {
    remembered.delete(token);
    if (!epoch) return;
    if (remembered.size >= rememberedMax)
      for (const oldest of remembered.keys().take(1)) remembered.delete(oldest);
    const condition = sameEpoch(actor.companyId, epoch);
    remembered.set(token, { actor, condition, since });
  }

  return async (request, mayRemember = false) => {
    const token = bearerPattern.exec(request.headers.authorization ?? "")?.[1];
    if (!token) throw new AppError("not_authenticated");
    const content = await tokens.read(token);
    const now = time.now();
    const known = mayRemember ? remembered.get(token) : undefined;
    if (known && Math.abs(now.getTime() - known.since) < rememberedMs) return known;
    const bearer = await findBearer(ask, content, now);
    if (!bearer?.applications.includes(content.application.id)) throw new AppError("not_authenticated");
    const actor = actorOf(bearer, content);
    remember(token, actor, bearer.epoch, now.getTime());
    return { actor };
  };
}

const sameEpoch =
  (companyId: string, epoch: string): Condition =>
  async (tx) => {
    const { rows } = await sql<{ epoch: string }>`
      SELECT epoch FROM bearer_epochs WHERE company_id = ${companyId}
    `.execute(tx);
    return rows[0]?.epoch === epoch;
  };

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
