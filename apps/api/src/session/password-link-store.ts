import { sql } from "kysely";
import { sqlJoinUser } from "../identities/index.ts";
import type { Database, Tx } from "../platform/db/database.ts";

/**
 * Stores a link. A link that an admin sends replaces all earlier ones. A link requested at sign-in, for which knowing
 * the e-mail is enough, is added to them.
 */
export async function savePasswordLink(
  tx: Tx,
  link: { userId: string; secretHash: string; isSelfRequested: boolean; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    DELETE FROM password_links WHERE company_id = ${tx.companyId} AND user_id = ${link.userId}
      AND (NOT ${link.isSelfRequested}::boolean OR expires_at <= ${link.now})
  `.execute(tx);
  await sql`
    INSERT INTO password_links (company_id, user_id, secret_hash, is_self_asked, created_at, expires_at)
    VALUES (${tx.companyId}, ${link.userId}, ${link.secretHash}, ${link.isSelfRequested}, ${link.now}, ${link.expiresAt})
  `.execute(tx);
}

/** Deletes a user's links, so that they cannot be misused after the password was chosen another way. */
export async function deletePasswordLinks(tx: Tx, userId: string): Promise<void> {
  await sql`DELETE FROM password_links WHERE company_id = ${tx.companyId} AND user_id = ${userId}`.execute(
    tx,
  );
}

export interface LinkedUser {
  companyId: string;
  id: string;
  name: string;
  email: string;
  sessionVersion: number;
}

/** Finds the user and the company across all companies, because a link does not name its company. */
export async function findByPasswordLink(
  db: Database,
  secretHash: string,
  now: Date,
): Promise<LinkedUser | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<LinkedUser>`
      SELECT u.company_id AS "companyId", u.id, u.name, u.email, u.session_version AS "sessionVersion"
      FROM password_links l ${sqlJoinUser(sql`l.company_id`, sql`l.user_id`)}
      WHERE l.secret_hash = ${secretHash} AND l.expires_at > ${now} AND u.removed_at IS NULL
    `.execute(tx),
  );
  return rows[0];
}

/** Deletes the link and all others of the user. Returns false when it was used or replaced meanwhile. */
export async function removePasswordLink(tx: Tx, userId: string, secretHash: string): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM password_links
    WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND secret_hash = ${secretHash} RETURNING user_id
  `.execute(tx);
  if (rows.length === 0) return false;
  await deletePasswordLinks(tx, userId);
  return true;
}
