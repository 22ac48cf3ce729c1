/** Approvers, the people behind ids, and who gave whom access. */
import type { ApproverFacts, ControlPolicy } from "@malote/domain/controls";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";

export interface ApproverRow extends ApproverFacts {
  name: string;
  email: string;
  /** True when the person has chosen a password; without one they cannot sign in. */
  hasPassword: boolean;
}

const approverColumns = sql`
  id, name, email, profile, true AS "isPerson", known_since AS "knownSince", two_factor_at IS NOT NULL AS "hasFactor",
  password_hash IS NOT NULL AS "hasPassword"`;

/** Returns everyone who may approve at present: admins, and the operators that the policy names. */
export async function listApprovers(
  tx: Tx,
  { operatorApprovers }: Pick<ControlPolicy, "operatorApprovers">,
): Promise<ApproverRow[]> {
  const { rows } = await sql<ApproverRow>`
    SELECT ${approverColumns} FROM users
    WHERE company_id = ${tx.companyId} AND removed_at IS NULL AND 'payments' = ANY(applications)
      AND (profile = 'admin' OR (profile = 'operator' AND id = ANY(${operatorApprovers}::uuid[])))
    ORDER BY email
  `.execute(tx);
  return rows;
}

export async function readApprover(
  tx: Tx,
  actor: Pick<Actor, "kind" | "id" | "profile">,
): Promise<ApproverFacts> {
  const { id, profile } = actor;
  if (actor.kind !== "user") return { id, profile, isPerson: false, knownSince: null, hasFactor: false };
  const { rows } = await sql<ApproverRow>`
    ${prepared} SELECT ${approverColumns} FROM users WHERE company_id = ${tx.companyId} AND id = ${id} AND removed_at IS NULL
  `.execute(tx);
  return onlyRow({ rows });
}

export interface Preparers {
  people: string[];
  /** True when one of them is a credential without a recorded maker. */
  hasUnknown: boolean;
}

/**
 * Returns a function that maps ids to the people behind them: a credential acts for its maker, so both count as one
 * where another person is needed. A credential that came with the installation counts as itself, and its user is
 * unknown.
 */
export async function listPreparersBehind(
  tx: Tx,
  ids: readonly string[],
): Promise<(ids: readonly string[]) => Preparers> {
  const { rows } = await sql<WithOthers & { given: string; isUnknown: boolean }>`
    ${prepared} SELECT given.id AS given, coalesce(a.created_by, given.id) AS id,
      a.id IS NOT NULL AND a.created_by IS NULL AS "isUnknown", ${sameEmail(tx, sql`coalesce(a.created_by, given.id)`)} AS others
    FROM unnest(${[...new Set(ids)]}::uuid[]) AS given(id)
    LEFT JOIN api_credentials a ON a.company_id = ${tx.companyId} AND a.id = given.id
  `.execute(tx);
  const behind = new Map(rows.map((row) => [row.given, row]));
  return (some) => {
    const found = some.flatMap((id) => behind.get(id) ?? []);
    return { people: peopleIn(found), hasUnknown: found.some(({ isUnknown }) => isUnknown) };
  };
}

export async function readPreparers(tx: Tx, ids: readonly string[]): Promise<Preparers> {
  return (await listPreparersBehind(tx, ids))(ids);
}

interface WithOthers {
  id: string;
  others: string[];
}

/** Returns the other ids of a person: someone removed and invited again by the same e-mail has a new id. */
const sameEmail = (tx: Tx, id: RawBuilder<unknown>) => sql`ARRAY(
  SELECT other.id FROM users me JOIN users other ON other.company_id = me.company_id AND other.email = me.email
  WHERE me.company_id = ${tx.companyId} AND me.id = ${id} AND other.id <> me.id)`;

/** Returns the people's ids, the requested ones first. */
const peopleIn = (rows: readonly WithOthers[]): string[] => [
  ...new Set([...rows.map(({ id }) => id), ...rows.flatMap(({ others }) => others)]),
];

/** Returns everyone who invited these people or changed their access after `since`. */
export async function listInviters(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<WithOthers>`
    ${prepared} SELECT DISTINCT given_by AS id, ${sameEmail(tx, sql`given_by`)} AS others FROM access_given
    WHERE company_id = ${tx.companyId} AND user_id = ANY(${ids}::uuid[]) AND given_at > ${since}
  `.execute(tx);
  return peopleIn(rows);
}

/**
 * Returns the editors that make this person a preparer: the person under any of their ids, one of their credentials, or
 * a person whom they invited or gave access after `since`.
 */
export async function listEditorsThrough(
  tx: Tx,
  userId: string,
  { ids, since }: { ids: readonly string[]; since: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{ given: string }>`
    WITH me AS (
      SELECT ${userId}::uuid AS id UNION SELECT unnest(${sameEmail(tx, sql`${userId}::uuid`)})
    ), behind AS (
      SELECT given.id AS given, unnest(coalesce(a.created_by, given.id) || ${sameEmail(tx, sql`coalesce(a.created_by, given.id)`)}) AS id
      FROM unnest(${[...new Set(ids)]}::uuid[]) AS given(id)
      LEFT JOIN api_credentials a ON a.company_id = ${tx.companyId} AND a.id = given.id
    )
    SELECT DISTINCT behind.given FROM behind
    WHERE behind.id IN (SELECT id FROM me) OR EXISTS (
      SELECT FROM access_given g WHERE g.company_id = ${tx.companyId} AND g.user_id = behind.id AND g.given_at > ${since}
        AND g.given_by IN (SELECT id FROM me))
  `.execute(tx);
  return new Set(rows.map(({ given }) => given));
}

/**
 * Returns people whom these invited after `since`; a mere change of access does not count, because that person existed
 * before.
 */
export async function listMadeBy(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT u.id FROM access_given g JOIN users u ON u.company_id = g.company_id AND u.id = g.user_id
    WHERE g.company_id = ${tx.companyId} AND g.given_by = ANY(${ids}::uuid[]) AND u.created_at > ${since}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Returns when a person got their present access: by invitation or profile, and, if there is another admin, also by the
 * present factor and password. A sole admin has no other person to ask or to notify.
 */
export async function readAccessSince(tx: Tx, userId: string): Promise<Date | null> {
  return onlyRow(
    await sql<{ since: Date | null }>`
      SELECT greatest(me.let_in_at, CASE WHEN EXISTS (
          SELECT FROM users other WHERE other.company_id = me.company_id AND other.id <> me.id AND other.profile = 'admin'
            AND other.removed_at IS NULL AND other.password_hash IS NOT NULL) THEN me.known_since END) AS since
      FROM users me WHERE me.company_id = ${tx.companyId} AND me.id = ${userId}
    `.execute(tx),
  ).since;
}

/** Returns names and e-mails of these people, by id. */
export async function readEmails(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    SELECT id, name, email FROM users WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

/** Returns admins and operators of payments, whom a policy may rely on or name. */
export async function listPeople(
  tx: Tx,
): Promise<
  { id: string; name: string; email: string; profile: "admin" | "operator"; has_factor: boolean }[]
> {
  const { rows } = await sql<{
    id: string;
    name: string;
    email: string;
    profile: "admin" | "operator";
    has_factor: boolean;
  }>`
    SELECT id, name, email, profile, two_factor_at IS NOT NULL AS has_factor FROM users
    WHERE company_id = ${tx.companyId} AND removed_at IS NULL AND 'payments' = ANY(applications)
      AND profile IN ('admin', 'operator')
    ORDER BY profile, name, id
  `.execute(tx);
  return rows;
}

export interface ActorRow {
  id: string;
  kind: "user" | "machine";
  name: string;
}

/** Lists all users and credentials, including removed ones. */
export async function listActors(tx: Tx): Promise<ActorRow[]> {
  const { rows } = await sql<ActorRow>`
    SELECT id, 'user' AS kind, name FROM users WHERE company_id = ${tx.companyId}
    UNION ALL SELECT id, 'machine', name FROM api_credentials WHERE company_id = ${tx.companyId}
    ORDER BY name, id
  `.execute(tx);
  return rows;
}

/** Returns the names of the users with these ids. */
export async function readNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM users WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
