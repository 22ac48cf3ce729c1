/** Users of a company: listed, invited, changed and removed. */
import type { Application, Profile } from "@malote/contracts/policy";
import { sql } from "kysely";
import { contains } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export interface StoredUser {
  id: string;
  name: string;
  email: string;
  profile: Profile;
  applications: Application[];
  hasTwoFactor: boolean;
  hasPassword: boolean;
}

const userColumns = sql`
  id, name, email, profile, applications, two_factor_at IS NOT NULL AS "hasTwoFactor",
  password_hash IS NOT NULL AS "hasPassword"`;

interface UserFilter {
  search?: string | undefined;
  application?: Application | undefined;
  profile?: Profile | undefined;
}

/** Lists the company's users by name, without removed ones. */
export async function listUsers(
  tx: Tx,
  { search, application, profile }: UserFilter,
  page: { size: number; at: number },
): Promise<{ users: StoredUser[]; count: number }> {
  const wanted = search?.trim() ?? "";
  const found = sql`
    company_id = ${tx.companyId} AND removed_at IS NULL
    AND (${wanted} = '' OR ${contains(sql`fold_text(name) || E'\n' || email`, wanted)})
    AND (${application ?? null}::text IS NULL OR ${application ?? null} = ANY(applications))
    AND (${profile ?? null}::text IS NULL OR profile = ${profile ?? null})`;
  const [counted, listed] = await Promise.all([
    sql<{ count: number }>`SELECT count(*)::int AS count FROM users WHERE ${found}`.execute(tx),
    sql<StoredUser>`
      SELECT ${userColumns} FROM users WHERE ${found}
      ORDER BY fold_text(name), id LIMIT ${page.size} OFFSET ${page.at * page.size}
    `.execute(tx),
  ]);
  return { users: listed.rows, count: counted.rows[0]?.count ?? 0 };
}

export async function findUser(tx: Tx, userId: string): Promise<StoredUser | undefined> {
  const { rows } = await sql<StoredUser>`
    SELECT ${userColumns} FROM users
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL
  `.execute(tx);
  return rows[0];
}

/** Locks users in the order of their ids, so that two admins who change each other do not deadlock. */
export async function lockUsers(tx: Tx, userIds: readonly string[]): Promise<StoredUser[]> {
  const { rows } = await sql<StoredUser>`
    SELECT ${userColumns} FROM users
    WHERE company_id = ${tx.companyId} AND id = ANY(${userIds}::uuid[]) AND removed_at IS NULL
    ORDER BY id FOR UPDATE
  `.execute(tx);
  return rows;
}

export async function listOtherAdmins(tx: Tx, except: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users
    WHERE company_id = ${tx.companyId} AND profile = 'admin' AND removed_at IS NULL AND password_hash IS NOT NULL
      AND NOT id = ANY(${except}::uuid[])
    ORDER BY email
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function countUsers(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM users WHERE company_id = ${tx.companyId} AND removed_at IS NULL
    `.execute(tx),
  ).count;
}

/** Claims an e-mail as a sign-in name. Returns false when it is another user's, at any company. */
export async function claimEmail(tx: Tx, email: string, userId: string): Promise<boolean> {
  return onlyRow(
    await sql<{ claimed: boolean }>`SELECT claim_sign_in_name(${email}, ${userId}::uuid) AS claimed`.execute(
      tx,
    ),
  ).claimed;
}

/** Returns whether a user of the same company has this e-mail. */
export async function isEmailOfColleague(tx: Tx, email: string): Promise<boolean> {
  return onlyRow(
    await sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM users
        WHERE company_id = ${tx.companyId} AND email = ${email} AND removed_at IS NULL) AS found
    `.execute(tx),
  ).found;
}

interface NewUser {
  id: string;
  name: string;
  email: string;
  profile: Profile;
  applications: readonly Application[];
  /** Id of the inviting admin. */
  by: string;
  now: Date;
}

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await sql`
    INSERT INTO users (company_id, id, name, email, profile, applications, created_at, known_since, let_in_by, let_in_at)
    VALUES (${tx.companyId}, ${user.id}, ${user.name}, ${user.email}, ${user.profile}, ${user.applications}::text[], ${user.now},
      ${user.now}, ${user.by}, ${user.now})
  `.execute(tx);
}

interface Access {
  profile: Profile;
  applications: readonly Application[];
}

/** Changes a user's access and ends every token with the earlier one. */
export async function changeAccess(
  tx: Tx,
  userId: string,
  access: Access,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE users SET profile = ${access.profile}, applications = ${access.applications}::text[],
      known_since = ${now}, let_in_by = ${by}, let_in_at = ${now}, session_version = session_version + 1
    WHERE company_id = ${tx.companyId} AND id = ${userId}
  `.execute(tx);
}

/** Marks a user as removed and ends every token. The row stays for histories. */
export async function markUserRemoved(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    UPDATE users SET removed_at = ${now}, session_version = session_version + 1
    WHERE company_id = ${tx.companyId} AND id = ${userId}
  `.execute(tx);
}

/** Frees a removed user's e-mail for another user. */
export async function deleteSignInName(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT forget_sign_in_name(${userId}::uuid)`.execute(tx);
}
