/** Exchanges a token for a fresh one, or one of another application (SES-036, SES-037, ruling D7). */

import type { ErrorCode } from "@malote/contracts/errors";
import type { Application } from "@malote/contracts/policy";
import { renewalGraceSeconds, type TokenContent } from "@malote/contracts/session";
import { secondMs } from "@malote/domain/durations";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { findBearerOfSession, queryInTransaction } from "./bearer-store.ts";
import { claimsOf, granted } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { endSession, lockSession, replaceToken, type SessionTokens } from "./session-store.ts";

export async function renewToken(
  kit: SessionKit,
  given: { refresh_token: string; scope?: Application | undefined },
  origin: Origin,
) {
  const content = await kit.tokens.read(given.refresh_token);
  // Credentials sign in again with their secret.
  if (content.kind !== "user") throw new AppError("not_authenticated");
  const outcome = await kit.db.withCompany(content.company.id, (tx) =>
    renewInside(tx, kit, content, given.scope ?? content.application.id, origin),
  );
  // Thrown after the transaction, which must commit the end of a stolen session.
  if ("refused" in outcome) throw new AppError(outcome.refused);
  return granted(outcome.token);
}

async function renewInside(
  tx: Tx,
  kit: SessionKit,
  content: TokenContent,
  application: Application,
  origin: Origin,
): Promise<{ token: string } | { refused: ErrorCode }> {
  const now = kit.time.now();
  const session = await lockSession(tx, content.sid);
  const bearer =
    session &&
    (await findBearerOfSession(
      queryInTransaction(tx),
      { companyId: tx.companyId, id: content.sid, userId: content.sub },
      now,
    ));
  if (!session || !bearer) return { refused: "not_authenticated" };
  const acting = { actor: { ...bearer, kind: "user" }, ...origin } as const;

  const use = tokenUse(content.jti, session, now);
  if (use === "reused") {
    // Two parties hold one token and the thief cannot be identified, so both must sign in again.
    await endSession(tx, content.sid, now);
    await audit(tx, acting, "session.ended_by_reused_token", content.sid);
    return { refused: "not_authenticated" };
  }
  if (!bearer.applications.includes(application)) return { refused: "forbidden" };

  // Tabs that renew at the same time get tokens with one id, so that any of them can be exchanged next time.
  const tokenId = use === "together" ? session.tokenId : uuidv7(now.getTime());
  if (use === "first") await replaceToken(tx, content.sid, tokenId, now);
  await audit(tx, acting, "session.renewed", content.sid, { application });
  const place = { kind: "user", sessionId: content.sid, tokenId, application } as const;
  return { token: await kit.tokens.sign(claimsOf(bearer, place)) };
}

function tokenUse(tokenId: string, session: SessionTokens, now: Date): "first" | "together" | "reused" {
  if (tokenId === session.tokenId) return "first";
  const graceEndsAt = session.renewedAt.getTime() + renewalGraceSeconds * secondMs;
  return tokenId === session.previousTokenId && now.getTime() <= graceEndsAt ? "together" : "reused";
}
