/** Credentials of the company's own systems. Only hashes of their secrets are stored. */
import type { Application, Profile } from "@malote/contracts/policy";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { declareLock, lockFor } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export interface CredentialRow {
  id: string;
  client_id: string;
  name: string;
  profile: Profile;
  created_at: Date;
  created_by: string | null;
  created_by_name: string | null;
  last_used_at: Date | null;
}

const credentialColumns = sql`id, client_id, name, profile, created_at, created_by, created_by_name, last_used_at`;

/** Lists credentials that are not revoked, newest first. */
export async function listCredentials(tx: Tx, application: Application): Promise<CredentialRow[]> {
  const { rows } = await sql<CredentialRow>`
    SELECT ${credentialColumns} FROM api_credentials
    WHERE company_id = ${tx.companyId} AND application = ${application} AND revoked_at IS NULL
    ORDER BY created_at DESC, id DESC
  `.execute(tx);
  return rows;
}

const credentialsLock = declareLock("credentials");

/** Counts the credentials under a lock, so that two concurrent creations do not both take the last place. */
export async function countCredentials(tx: Tx, application: Application): Promise<number> {
  await lockFor(tx, credentialsLock);
  const found = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM api_credentials
    WHERE company_id = ${tx.companyId} AND application = ${application} AND revoked_at IS NULL
  `.execute(tx);
  return onlyRow(found).count;
}

interface NewCredential {
  id: string;
  clientId: string;
  secretHash: string;
  application: Application;
  profile: Profile;
  name: string;
  createdBy: { id: string; name: string };
  now: Date;
}

export async function insertCredential(tx: Tx, made: NewCredential): Promise<void> {
  await sql`
    INSERT INTO api_credentials
      (company_id, id, client_id, secret_hash, application, profile, name, created_at, created_by, created_by_name)
    VALUES (${tx.companyId}, ${made.id}, ${made.clientId}, ${made.secretHash}, ${made.application}, ${made.profile},
            ${made.name}, ${made.now}, ${made.createdBy.id}, ${made.createdBy.name})
  `.execute(tx);
  await sql`
    INSERT INTO sign_in_names (name, kind, company_id, subject_id)
    VALUES (${made.clientId}, 'credential', ${tx.companyId}, ${made.id})
  `.execute(tx);
}

export async function lockCredential(
  tx: Tx,
  application: Application,
  id: string,
): Promise<CredentialRow | undefined> {
  const { rows } = await sql<CredentialRow>`
    SELECT ${credentialColumns} FROM api_credentials
    WHERE company_id = ${tx.companyId} AND application = ${application} AND id = ${id} AND revoked_at IS NULL FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Locks a user's credentials that exceed the given access and returns them; with no access, all of them. */
export async function lockCredentialsAbove(
  tx: Tx,
  userId: string,
  access: { profiles: readonly Profile[]; applications: readonly Application[] },
): Promise<(CredentialRow & { application: Application })[]> {
  const { rows } = await sql<CredentialRow & { application: Application }>`
    SELECT ${credentialColumns}, application FROM api_credentials
    WHERE company_id = ${tx.companyId} AND created_by = ${userId} AND revoked_at IS NULL
      AND NOT (profile = ANY(${access.profiles}::text[]) AND application = ANY(${access.applications}::text[]))
    ORDER BY id FOR UPDATE
  `.execute(tx);
  return rows;
}

/**
 * Locks the user's row to the end of the transaction and returns the user's rights, so that a concurrent new credential
 * cannot exceed them.
 */
export async function lockMaker(
  tx: Tx,
  userId: string,
): Promise<{ profile: Profile; applications: Application[] } | undefined> {
  const { rows } = await sql<{ profile: Profile; applications: Application[] }>`
    SELECT profile, applications FROM users
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Revokes a credential. Every call checks its credential, so the next call with one of its tokens is refused. */
export async function markRevoked(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE api_credentials SET revoked_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export async function hasApplication(tx: Tx, userId: string, application: Application): Promise<boolean> {
  const found = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND ${application} = ANY(applications)
    ) AS found
  `.execute(tx);
  return onlyRow(found).found;
}
