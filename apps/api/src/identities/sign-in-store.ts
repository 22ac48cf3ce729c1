/** Data of users and credentials that a sign-in reads and writes: hashes, secrets, factors, and the last use. */
import type { AuditAction } from "@malote/domain/audit-trail";
import { sql } from "kysely";
import { auditFrom } from "../platform/audit.ts";
import type { Database, Tx } from "../platform/db/database.ts";

interface KnownUser {
  companyId: string;
  id: string;
  name: string;
  /** Null for an invited user without a password. */
  passwordHash: string | null;
  sessionVersion: number;
  hasTwoFactor: boolean;
}

/** Finds the user and the company across all companies, because a sign-in does not name its company. */
export async function findUserByEmail(db: Database, email: string): Promise<KnownUser | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<KnownUser>`
      SELECT u.company_id AS "companyId", u.id, u.name, u.password_hash AS "passwordHash",
             u.session_version AS "sessionVersion", u.two_factor_at IS NOT NULL AS "hasTwoFactor"
      FROM sign_in_names n JOIN users u ON u.company_id = n.company_id AND u.id = n.subject_id
      WHERE n.name = ${email} AND n.kind = 'user' AND u.removed_at IS NULL
    `.execute(tx),
  );
  return rows[0];
}

interface KnownCredential {
  companyId: string;
  id: string;
  secretHash: string;
}

export async function findCredential(db: Database, clientId: string): Promise<KnownCredential | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<KnownCredential>`
      SELECT a.company_id AS "companyId", a.id, a.secret_hash AS "secretHash"
      FROM sign_in_names n JOIN api_credentials a ON a.company_id = n.company_id AND a.id = n.subject_id
      WHERE n.name = ${clientId} AND n.kind = 'credential' AND a.revoked_at IS NULL
    `.execute(tx),
  );
  return rows[0];
}

export async function recordCredentialUse(tx: Tx, credentialId: string, now: Date): Promise<void> {
  await sql`
    UPDATE api_credentials SET last_used_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${credentialId}
  `.execute(tx);
}

/** Revokes the credentials that the user created. Every call checks its credential, so their tokens end too. */
export async function endCredentialsMadeBy(
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ id: string; client_id: string }[]> {
  const { rows } = await sql<{ id: string; client_id: string }>`
    UPDATE api_credentials SET revoked_at = ${now}
    WHERE company_id = ${tx.companyId} AND created_by = ${userId} AND revoked_at IS NULL RETURNING id, client_id
  `.execute(tx);
  return rows;
}

/** Records a refused sign-in. Uses one statement for known and unknown names, so that its duration reveals nothing. */
export async function recordRefusedSignIn(
  db: Database,
  name: string,
  entry: { action: AuditAction; now: Date; requestId: string },
): Promise<void> {
  await db.withSystem((tx) =>
    auditFrom(
      tx,
      sql`SELECT n.company_id, ${entry.now}, CASE n.kind WHEN 'user' THEN 'user' ELSE 'machine' END, n.subject_id,
             coalesce(u.name, a.name, n.name), ${entry.action}, ${entry.requestId}
      FROM sign_in_names n
      LEFT JOIN users u ON u.company_id = n.company_id AND u.id = n.subject_id
      LEFT JOIN api_credentials a ON a.company_id = n.company_id AND a.id = n.subject_id
      WHERE n.name = ${name}`,
    ),
  );
}

interface UserSecrets {
  id: string;
  name: string;
  email: string;
  passwordHash: string | null;
  sessionVersion: number;
  twoFactorSecret: string | null;
  twoFactorAt: Date | null;
}

const userSecrets = sql`
  id, name, email, password_hash AS "passwordHash", session_version AS "sessionVersion",
  two_factor_secret AS "twoFactorSecret", two_factor_at AS "twoFactorAt"`;

export async function findUserSecrets(tx: Tx, userId: string): Promise<UserSecrets | undefined> {
  const { rows } = await sql<UserSecrets>`
    SELECT ${userSecrets} FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL
  `.execute(tx);
  return rows[0];
}

export async function lockUserSecrets(tx: Tx, userId: string): Promise<UserSecrets | undefined> {
  const { rows } = await sql<UserSecrets>`
    SELECT ${userSecrets} FROM users
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function changeUserName(tx: Tx, userId: string, name: string): Promise<void> {
  await sql`UPDATE users SET name = ${name} WHERE company_id = ${tx.companyId} AND id = ${userId}`.execute(
    tx,
  );
}

/** Uses up a step's code. Returns false when a code of this or a later step was used before: a code works once. */
export async function spendStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE users SET two_factor_last_step = ${step}
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND two_factor_last_step < ${step} RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** Stores a secret while the factor is off, with no code used yet. */
export async function saveFactorSecret(tx: Tx, userId: string, encryptedSecret: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE users SET two_factor_secret = ${encryptedSecret}, two_factor_last_step = 0
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL AND two_factor_at IS NULL RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** Turns the factor on. `knownSince` is business time, in which approvals count a user's age. */
export async function turnOnTwoFactor(
  tx: Tx,
  userId: string,
  { now, knownSince }: { now: Date; knownSince: Date },
): Promise<number> {
  return versionOf(
    await sql<{ version: number }>`
      UPDATE users SET two_factor_at = ${now}, known_since = ${knownSince}, session_version = session_version + 1
      WHERE company_id = ${tx.companyId} AND id = ${userId} RETURNING session_version AS version
    `.execute(tx),
  );
}

export async function turnOffTwoFactor(tx: Tx, userId: string, knownSince: Date): Promise<number> {
  return versionOf(
    await sql<{ version: number }>`
      UPDATE users SET two_factor_at = NULL, two_factor_secret = NULL, known_since = ${knownSince},
        session_version = session_version + 1
      WHERE company_id = ${tx.companyId} AND id = ${userId} RETURNING session_version AS version
    `.execute(tx),
  );
}

/** Restarts the user's age: a user who chose a password by a link counts as new. */
export async function markKnownSince(tx: Tx, userId: string, knownSince: Date): Promise<void> {
  await sql`
    UPDATE users SET known_since = ${knownSince} WHERE company_id = ${tx.companyId} AND id = ${userId}
  `.execute(tx);
}

/** Changes the password. Returns undefined when the account has changed since the old password was checked. */
export async function changePasswordHash(
  tx: Tx,
  user: { id: string; sessionVersion: number },
  passwordHash: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    UPDATE users SET password_hash = ${passwordHash}, session_version = session_version + 1
    WHERE company_id = ${tx.companyId} AND id = ${user.id} AND session_version = ${user.sessionVersion}
      AND removed_at IS NULL
    RETURNING session_version AS version
  `.execute(tx);
  return rows[0]?.version;
}

function versionOf({ rows }: { rows: { version: number }[] }): number {
  const version = rows[0]?.version;
  if (version === undefined) throw new Error("the locked user does not exist");
  return version;
}
