/**
 * Authenticates the caller. The signature identifies the session; all other facts are read from the database, so that a
 * logout, a new role or a new password applies to the next call. A call that is one transaction or one read may use a
 * cached bearer: its first round trip then compares the bearer's epoch, which changes with each of these facts.
 */
import type { TokenContent } from "@malote/contracts/session";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import { prepared } from "../platform/db/prepared.ts";
import type { BearerCheck } from "../platform/db/screen-reads.ts";
import type { Caller } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import {
  type BearerFacts,
  findBearerOfCredential,
  findBearerOfSession,
  queryPooled,
  type RunQuery,
} from "./bearer-store.ts";

export type Authenticate = (
  request: Pick<FastifyRequest, "headers">,
  /**
   * Permits a cached bearer. Set it only for a call that discards its reads and writes nothing when the returned check
   * fails.
   */
  mayRemember?: boolean,
) => Promise<Caller>;

const rememberedMax = 4_000;

const bearerPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

export function createAuthenticate(services: Pick<Services, "db" | "secrets" | "clock">): Authenticate {
  const tokens = openTokens(services);
  const time = realTime(services.clock);
  const runQuery = queryPooled(services.db);
  /** Cached bearers by authorization header, oldest first, until they expire. */
  const remembered = new Map<string, Caller & { until: number }>();
  function remember(header: string, content: TokenContent, { epoch, ends }: BearerFacts, actor: Actor): void {
    remembered.delete(header);
    if (!epoch) return;
    if (remembered.size >= rememberedMax)
      for (const oldest of remembered.keys().take(1)) remembered.delete(oldest);
    const until = Math.min(content.exp * 1000, ends?.getTime() ?? Number.POSITIVE_INFINITY);
    remembered.set(header, { actor, bearerCheck: sameEpoch(actor.companyId, epoch), until });
  }

  return async (request, mayRemember = false) => {
    const header = request.headers.authorization ?? "";
    const now = time.now();
    const known = mayRemember ? remembered.get(header) : undefined;
    if (known && now.getTime() < known.until) return known;
    const token = bearerPattern.exec(header)?.[1];
    if (!token) throw new AppError("not_authenticated");
    const content = await tokens.read(token);
    const bearer = await findBearer(runQuery, content, now);
    if (!bearer?.applications.includes(content.application.id)) throw new AppError("not_authenticated");
    const actor = actorOf(bearer, content);
    remember(header, content, bearer, actor);
    return { actor };
  };
}

const sameEpoch =
  (companyId: string, epoch: string): BearerCheck =>
  async (tx) => {
    const { rows } = await sql<{ epoch: string }>`
      ${prepared} SELECT epoch FROM bearer_epochs WHERE company_id = ${companyId}
    `.execute(tx);
    return rows[0]?.epoch === epoch;
  };

const findBearer = (runQuery: RunQuery, { kind, company, sid, sub }: TokenContent, now: Date) =>
  kind === "machine"
    ? findBearerOfCredential(runQuery, company.id, sub)
    : findBearerOfSession(runQuery, { companyId: company.id, id: sid, userId: sub }, now);

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
