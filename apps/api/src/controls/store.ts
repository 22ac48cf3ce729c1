/** Versions of the policy, possible approvers, preparers, and approvals. */
import { type ApproverFacts, type ControlPolicy, firstPolicy } from "@malote/domain/controls";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { lockFor } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";

export interface PolicyRow {
  version: number;
  policy: ControlPolicy;
  in_force_at: Date;
  made_at: Date;
  made_by_name: string;
  approved_by_name: string | null;
}

const policyColumns = sql`version, policy, in_force_at, made_at, made_by_name, approved_by_name`;

/**
 * Returns the newest version in force at this moment. A newer version replaces those before it, including one that was
 * still pending when it was saved. `counted_before`: people whose quarantine began by then had passed it under an
 * earlier version, or before there was one.
 */
export async function findPolicy(
  tx: Tx,
  now: Date,
): Promise<{ policy: ControlPolicy; counted_before: Date } | undefined> {
  const { rows } = await sql<{ policy: ControlPolicy; counted_before: Date }>`
    ${prepared} WITH due AS (
      SELECT version, policy, in_force_at, min(in_force_at) OVER (
          ORDER BY version DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_at,
        coalesce((policy->>'quarantineHours')::int, ${firstPolicy.quarantineHours}) AS hours
      FROM control_policies p WHERE p.company_id = ${tx.companyId} AND p.in_force_at <= ${now} AND NOT EXISTS (
        SELECT FROM control_policies n WHERE n.company_id = p.company_id AND n.version > p.version AND n.made_at < p.in_force_at)),
    was AS (
      SELECT ended_at - make_interval(hours => hours) AS until FROM due WHERE ended_at > in_force_at
      UNION ALL
      SELECT min(in_force_at) - make_interval(hours => ${firstPolicy.quarantineHours}) FROM due)
    SELECT policy, (SELECT max(until) FROM was) AS counted_before FROM due ORDER BY version DESC LIMIT 1
  `.execute(tx);
  return rows[0];
}

/** Returns the newest version while it is not in force yet. */
export async function findLaterPolicy(tx: Tx, now: Date): Promise<PolicyRow | undefined> {
  const { rows } = await sql<PolicyRow>`
    SELECT ${policyColumns} FROM control_policies WHERE company_id = ${tx.companyId} ORDER BY version DESC LIMIT 1
  `.execute(tx);
  return rows.find((row) => row.in_force_at > now);
}

const versionsShown = 30;

export async function listPolicies(tx: Tx): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    SELECT ${policyColumns} FROM control_policies WHERE company_id = ${tx.companyId}
    ORDER BY version DESC LIMIT ${versionsShown}
  `.execute(tx);
  return rows;
}

/** Serialises saves of policies, so that no two versions get the same number. */
export async function lockPolicies(tx: Tx): Promise<void> {
  await lockFor(tx, "approval-policies");
}

export async function lastVersion(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ version: number }>`
      SELECT coalesce(max(version), 0)::int AS version FROM control_policies WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).version;
}

export interface By {
  id: string;
  name: string;
}

export async function insertPolicy(
  tx: Tx,
  made: { version: number; policy: ControlPolicy; by: By; approvedBy?: By; inForceAt: Date; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name, approved_by,
      approved_by_name)
    VALUES (${tx.companyId}, ${made.version}, ${JSON.stringify(made.policy)}::jsonb, ${made.inForceAt}, ${made.now},
      ${made.by.id}, ${made.by.name}, ${made.approvedBy?.id ?? null}, ${made.approvedBy?.name ?? null})
  `.execute(tx);
}

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
export async function preparersBehind(
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
  return (await preparersBehind(tx, ids))(ids);
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
export async function findInviters(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
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
export async function editorsThrough(
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
export async function madeBy(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
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

export interface ApprovalRow {
  id: string;
  user_id: string;
  user_name: string;
  digest: string;
  with_factor: boolean;
  approved_at: Date;
}

type Approved = { batchId: string } | { requestId: string };

const approvalColumns = sql`a.id, a.user_id, a.user_name, a.digest, a.with_factor, a.approved_at`;

/** Returns the approvals that are not voided, the oldest first. */
export async function listApprovals(tx: Tx, batchId: string): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    SELECT ${approvalColumns} FROM approvals a
    WHERE a.company_id = ${tx.companyId} AND a.batch_id = ${batchId} AND a.voided_at IS NULL ORDER BY a.approved_at, a.id
  `.execute(tx);
  return rows;
}

/** Returns the approvals of each request that are not voided. */
export async function approvalsOfRequests(
  tx: Tx,
  requestIds: readonly string[],
): Promise<(requestId: string) => ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow & { request_id: string }>`
    SELECT ${approvalColumns}, a.request_id FROM approvals a
    WHERE a.company_id = ${tx.companyId} AND a.request_id = ANY(${requestIds}::uuid[]) AND a.voided_at IS NULL
    ORDER BY a.approved_at, a.id
  `.execute(tx);
  const of = Map.groupBy(rows, ({ request_id }) => request_id);
  return (id) => of.get(id) ?? [];
}

/** Returns the ids of people whose approvals of a batch are not voided. */
export async function listApproverIds(tx: Tx, batchId: string): Promise<string[]> {
  return (await listApprovals(tx, batchId)).map(({ user_id }) => user_id);
}

export async function insertApproval(
  tx: Tx,
  made: {
    id: string;
    of: Approved;
    revision: number | null;
    digest: string;
    by: By;
    withFactor: boolean;
    now: Date;
  },
): Promise<void> {
  const { of } = made;
  await sql`
    INSERT INTO approvals (company_id, id, batch_id, request_id, revision, digest, user_id, user_name, with_factor, approved_at)
    VALUES (${tx.companyId}, ${made.id}, ${"batchId" in of ? of.batchId : null},
      ${"requestId" in of ? of.requestId : null}, ${made.revision}, ${made.digest}, ${made.by.id}, ${made.by.name},
      ${made.withFactor}, ${made.now})
  `.execute(tx);
}

/** Voids a batch's approvals after its content changed or an approver rejected it. */
export async function voidApprovals(tx: Tx, batchId: string): Promise<void> {
  await sql`
    ${prepared} UPDATE approvals SET voided_at = now()
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND voided_at IS NULL
  `.execute(tx);
}

/** Keeps the approvals valid for a part of the approved payments, each of them unchanged. */
export async function narrowApprovals(
  tx: Tx,
  batchId: string,
  digests: { before: string; after: string },
): Promise<void> {
  await sql`
    UPDATE approvals SET voided_at = CASE WHEN digest = ${digests.before} THEN NULL ELSE now() END,
      digest = ${digests.after}, revision = revision + 1
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND voided_at IS NULL
  `.execute(tx);
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

export async function voidApproval(tx: Tx, batchId: string, userId: string): Promise<void> {
  await sql`
    UPDATE approvals SET voided_at = now()
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND user_id = ${userId} AND voided_at IS NULL
  `.execute(tx);
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
