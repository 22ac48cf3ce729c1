import { dayMs } from "@malote/domain/durations";
import { sql } from "kysely";
import { realTime } from "../platform/auth/real-time.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Tx } from "../platform/db/database.ts";

interface NewSession {
  id: string;
  userId: string;
  sessionVersion: number;
  tokenId: string;
  startedAt: Date;
  expiresAt: Date;
  /** Time when the user last gave every proof of identity. */
  confirmedAt: Date | null;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await sql`
    INSERT INTO sessions (company_id, id, user_id, session_version, token_id, renewed_at, created_at, expires_at, confirmed_at)
    VALUES (${tx.companyId}, ${session.id}, ${session.userId}, ${session.sessionVersion},
            ${session.tokenId}, ${session.startedAt}, ${session.startedAt}, ${session.expiresAt}, ${session.confirmedAt})
  `.execute(tx);
}

export interface SessionTokens {
  tokenId: string;
  previousTokenId: string | null;
  renewedAt: Date;
}

/** Locks the session, so that the second of two renewals with one token sees the first. */
export async function lockSession(tx: Tx, sessionId: string): Promise<SessionTokens | undefined> {
  const { rows } = await sql<SessionTokens>`
    SELECT token_id AS "tokenId", previous_token_id AS "previousTokenId", renewed_at AS "renewedAt"
    FROM sessions WHERE company_id = ${tx.companyId} AND id = ${sessionId} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function replaceToken(tx: Tx, sessionId: string, tokenId: string, now: Date): Promise<void> {
  await sql`
    UPDATE sessions SET previous_token_id = token_id, token_id = ${tokenId}, renewed_at = ${now}
    WHERE company_id = ${tx.companyId} AND id = ${sessionId}
  `.execute(tx);
}

export async function endSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await sql`
    UPDATE sessions SET ended_at = ${now}
    WHERE company_id = ${tx.companyId} AND id = ${sessionId} AND ended_at IS NULL
  `.execute(tx);
}

/**
 * Returns when the session's user last confirmed the identity; null when the code of the second factor was not
 * required.
 */
export async function readConfirmedAt(tx: Tx, sessionId: string): Promise<Date | null> {
  const { rows } = await sql<{ confirmed_at: Date | null }>`
    SELECT confirmed_at FROM sessions WHERE company_id = ${tx.companyId} AND id = ${sessionId}
  `.execute(tx);
  return rows[0]?.confirmed_at ?? null;
}

export async function setConfirmedAt(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await sql`
    UPDATE sessions SET confirmed_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${sessionId}
  `.execute(tx);
}

/**
 * Ends every session of the user. Returns the expiry and the last confirmation of the named session, if it was open.
 */
export async function endEverySession(
  tx: Tx,
  userId: string,
  sessionId: string | undefined,
  now: Date,
): Promise<{ expiresAt: Date; confirmedAt: Date | null } | undefined> {
  const { rows } = await sql<{ id: string; expires_at: Date; confirmed_at: Date | null }>`
    UPDATE sessions SET ended_at = ${now}
    WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND ended_at IS NULL
    RETURNING id, expires_at, confirmed_at
  `.execute(tx);
  const own = rows.find((row) => row.id === sessionId);
  return own && { expiresAt: own.expires_at, confirmedAt: own.confirmed_at };
}

/** Days for which an ended session is stored, to investigate a theft; its tokens are invalid. */
const endedSessionDays = 30;

/** Deletes sessions that cannot be used again; otherwise the table would grow with every sign-in. */
export async function deleteOldSessions({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(realTime(clock).now().getTime() - endedSessionDays * dayMs);
  await db.withSystem((tx) =>
    sql`DELETE FROM sessions WHERE least(ended_at, expires_at) < ${before}`.execute(tx),
  );
}
