/** Tables of controls: versions of the policy, approvals, requests that wait for them, and what left on a day. */
import { type ApproverFacts, type ControlPolicy, firstPolicy, type WayOut } from "@malote/domain/controls";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../platform/auth/actor.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import type { Correction } from "./need.ts";

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
 * The newest version that counts at this moment; a later one takes the place of those before it, also of one still to come.
 * `counted_before`: who began to wait by then was through with it while a version before this one, or none, was in force.
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
      FROM control_policies WHERE company_id = ${tx.companyId} AND in_force_at <= ${now}),
    was AS (
      SELECT ended_at - make_interval(hours => hours) AS until FROM due WHERE ended_at > in_force_at
      UNION ALL
      SELECT min(in_force_at) - make_interval(hours => ${firstPolicy.quarantineHours}) FROM due)
    SELECT policy, (SELECT max(until) FROM was) AS counted_before FROM due ORDER BY version DESC LIMIT 1
  `.execute(tx);
  return rows[0];
}

/** The newest version, where its time has not come yet. */
export async function findLaterPolicy(tx: Tx, now: Date): Promise<{ version: number } | undefined> {
  const { rows } = await sql<{ version: number; isLater: boolean }>`
    SELECT version, in_force_at > ${now} AS "isLater" FROM control_policies
    WHERE company_id = ${tx.companyId} ORDER BY version DESC LIMIT 1
  `.execute(tx);
  return rows.find(({ isLater }) => isLater);
}

const versionsShown = 30;

export async function listPolicies(tx: Tx): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    SELECT ${policyColumns} FROM control_policies WHERE company_id = ${tx.companyId}
    ORDER BY version DESC LIMIT ${versionsShown}
  `.execute(tx);
  return rows;
}

/** Whoever saves a policy waits for the others who do, so that no two make the same version. */
export async function lockPolicies(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`policies ${tx.companyId}`}, 0))`.execute(tx);
}

export async function lastVersion(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ version: number }>`
      SELECT coalesce(max(version), 0)::int AS version FROM control_policies WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).version;
}

interface By {
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
}

const approverColumns = sql`
  id, name, email, profile, true AS "isPerson", known_since AS "knownSince", two_factor_at IS NOT NULL AS "hasFactor"`;

/** Whoever may approve at all as they stand now: admins, and the operators the policy names. */
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
  const { rows } = await sql<ApproverFacts>`
    SELECT ${approverColumns} FROM users WHERE company_id = ${tx.companyId} AND id = ${id} AND removed_at IS NULL
  `.execute(tx);
  return onlyRow({ rows });
}

export interface Preparers {
  people: string[];
  /** One of them is a credential that nobody made. */
  hasUnknown: boolean;
}

/**
 * The people behind some ids: a credential does the will of whoever made it, so the two count as one where another person is
 * asked for. One that came with the installation stands for itself, and nobody knows in whose hand it is.
 */
export async function preparersOf(tx: Tx, ids: readonly string[]): Promise<Preparers> {
  const { rows } = await sql<WithOthers & { isUnknown: boolean }>`
    SELECT coalesce(a.created_by, given.id) AS id, a.id IS NOT NULL AND a.created_by IS NULL AS "isUnknown",
      ${sameEmail(tx, sql`coalesce(a.created_by, given.id)`)} AS others
    FROM unnest(${ids}::uuid[]) AS given(id)
    LEFT JOIN api_credentials a ON a.company_id = ${tx.companyId} AND a.id = given.id
  `.execute(tx);
  return { people: peopleIn(rows), hasUnknown: rows.some(({ isUnknown }) => isUnknown) };
}

interface WithOthers {
  id: string;
  others: string[];
}

/** Whoever was removed and let in again by the same e-mail has another id, and is the same person. */
const sameEmail = (tx: Tx, id: RawBuilder<unknown>) => sql`ARRAY(
  SELECT other.id FROM users me JOIN users other ON other.company_id = me.company_id AND other.email = me.email
  WHERE me.company_id = ${tx.companyId} AND me.id = ${id} AND other.id <> me.id)`;

/** Those asked about first. */
const peopleIn = (rows: readonly WithOthers[]): string[] => [
  ...new Set([...rows.map(({ id }) => id), ...rows.flatMap(({ others }) => others)]),
];

/** Everybody who let these people in, or changed what they may do, since then. */
export async function findInviters(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<WithOthers>`
    SELECT DISTINCT given_by AS id, ${sameEmail(tx, sql`given_by`)} AS others FROM access_given
    WHERE company_id = ${tx.companyId} AND user_id = ANY(${ids}::uuid[]) AND given_at > ${since}
  `.execute(tx);
  return peopleIn(rows);
}

/** Whom these people let in since then; not those whose access they changed, who were there before. */
export async function madeBy(tx: Tx, ids: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT u.id FROM access_given g JOIN users u ON u.company_id = g.company_id AND u.id = g.user_id
    WHERE g.company_id = ${tx.companyId} AND g.given_by = ANY(${ids}::uuid[]) AND u.created_at > ${since}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Since when somebody is what they are to others: let in or given their access, and where there is another admin also known by
 * this factor and password. Nobody else could be asked by the only one, whose e-mails nobody else reads.
 */
export async function readStanding(tx: Tx, userId: string): Promise<Date | null> {
  return onlyRow(
    await sql<{ since: Date | null }>`
      SELECT greatest(me.let_in_at, CASE WHEN EXISTS (
          SELECT FROM users other WHERE other.company_id = me.company_id AND other.id <> me.id AND other.profile = 'admin'
            AND other.removed_at IS NULL AND other.password_hash IS NOT NULL) THEN me.known_since END) AS since
      FROM users me WHERE me.company_id = ${tx.companyId} AND me.id = ${userId}
    `.execute(tx),
  ).since;
}

/** Those whose sums of the day decide stand in line: of two at once the second one counts the first. */
export async function lockSums(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`outflows ${tx.companyId}`}, 0))`.execute(tx);
}

/**
 * What carrying out a request about failed payments locks, in the order of whoever corrects one: its batch, then the codes of
 * boletos and charges. Of any other request nothing.
 */
export async function lockBatchOfRequest(tx: Tx, requestId: string): Promise<void> {
  const { rows } = await sql`
    SELECT b.id FROM batches b JOIN approval_requests r ON r.company_id = b.company_id AND b.id = (r.payload ->> 'batchId')::uuid
    WHERE r.company_id = ${tx.companyId} AND r.id = ${requestId} AND r.kind = 'CORRECTION' FOR UPDATE OF b
  `.execute(tx);
  if (rows.length > 0)
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`billets ${tx.companyId}`}, 0))`.execute(tx);
}

/** What these people sent out since then, but for one of it. */
export async function sentOut(
  tx: Tx,
  { people, since, except }: { people: readonly string[]; since: Date; except: readonly string[] },
): Promise<number> {
  return onlyRow(
    await sql<{ value: number }>`
      SELECT least(coalesce(sum(amount), 0), 9007199254740991)::bigint AS value FROM outflows
      WHERE company_id = ${tx.companyId} AND at >= ${since} AND people && ${people}::uuid[]
        AND id <> ALL(${except}::uuid[])
    `.execute(tx),
  ).value;
}

/** Written once for each; a batch that was taken back and closed again counts by its last closing. */
export async function noteOutflow(
  tx: Tx,
  out: { id: string; way: WayOut; amount: number; people: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    ${prepared} INSERT INTO outflows (company_id, id, way, amount, people, at)
    VALUES (${tx.companyId}, ${out.id}, ${out.way}, ${out.amount}, ${out.people}::uuid[], ${out.now})
    ON CONFLICT (company_id, id) DO UPDATE SET amount = excluded.amount, people = excluded.people, at = excluded.at
  `.execute(tx);
}

/** Failed payments that were sent again, each by itself; one that is sent once more counts once, by the last time. */
export async function noteCorrections(
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> {
  const { batchId, payments } = out.correction;
  await sql`
    INSERT INTO outflows (company_id, id, way, amount, people, at, batch_id, redirects)
    SELECT ${tx.companyId}, p.id, 'CORRECTION', p.value, ${out.people}::uuid[], ${out.now}, ${batchId}, p.redirects
    FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) AS p (id uuid, value bigint, redirects boolean)
    ON CONFLICT (company_id, id) DO UPDATE SET amount = excluded.amount, people = excluded.people, at = excluded.at,
      redirects = outflows.redirects OR excluded.redirects
  `.execute(tx);
}

/** The batch was taken back before its money left. */
export async function forgetOutflow(tx: Tx, id: string): Promise<void> {
  await sql`DELETE FROM outflows WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(tx);
}

/** Payments of batches closed since then, and those of older ones that were sent again since: of which none is counted twice. */
const sentSince = (tx: Tx, since: Date) => sql`
  SELECT receiver_id(t) AS payee, t.value, t.id, t.batch_id
  FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
  WHERE b.company_id = ${tx.companyId} AND b.closed_at >= ${since}
    AND b.type IN ('TRANSFER', 'BILLET') AND b.status IN ('PENDING', 'WAITING', 'RECEIVED', 'FINISHED')
  UNION ALL
  SELECT receiver_id(t), t.value, t.id, t.batch_id
  FROM outflows o JOIN transfers t ON t.company_id = o.company_id AND t.id = o.id
    JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
  WHERE o.company_id = ${tx.companyId} AND o.at >= ${since} AND o.way = 'CORRECTION'
    AND (b.closed_at IS NULL OR b.closed_at < ${since})`;

/** What the receivers of these payments get since then, the largest sum, and what of the batch goes to others than were approved. */
export async function correctedSums(
  tx: Tx,
  { batchId, payments }: Correction,
  since: Date,
): Promise<{ toPayee: number; redirected: number }> {
  return onlyRow(
    await sql<{ toPayee: number; redirected: number }>`
      WITH given AS MATERIALIZED (
        SELECT p.id, p.value, p.payee, p.redirects OR coalesce(o.redirects, false) AS redirects
        FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb)
          AS p (id uuid, value bigint, payee uuid, redirects boolean)
        LEFT JOIN outflows o ON o.company_id = ${tx.companyId} AND o.id = p.id),
      own AS (SELECT payee, sum(value) AS value FROM given GROUP BY payee),
      others AS (
        SELECT payee, sum(value) AS value FROM (${sentSince(tx, since)}) sent
        WHERE sent.id NOT IN (SELECT id FROM given) GROUP BY payee),
      before AS (
        SELECT coalesce(sum(o.amount), 0) AS value FROM outflows o
        WHERE o.company_id = ${tx.companyId} AND o.batch_id = ${batchId} AND o.redirects
          AND o.id NOT IN (SELECT id FROM given))
      SELECT least(coalesce((SELECT max(own.value + coalesce(others.value, 0)) FROM own LEFT JOIN others USING (payee)), 0),
          9007199254740991)::bigint AS "toPayee",
        least(coalesce((SELECT sum(value) FROM given WHERE redirects) + (SELECT value FROM before), 0),
          9007199254740991)::bigint AS redirected
    `.execute(tx),
  );
}

/** The largest payment of a batch, and the largest sum that one receiver gets of it and of what else left since then. */
export async function largestOf(
  tx: Tx,
  batchId: string,
  since: Date,
): Promise<{ largest: number; toPayee: number }> {
  return onlyRow(
    await sql<{ largest: number; toPayee: number }>`
      WITH own AS MATERIALIZED (
        SELECT receiver_id(t) AS payee, sum(t.value) AS value, max(t.value) AS largest FROM transfers t
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} GROUP BY 1),
      others AS (
        SELECT payee, sum(value) AS value FROM (${sentSince(tx, since)}) sent WHERE sent.batch_id <> ${batchId}
        GROUP BY payee)
      SELECT coalesce(max(own.largest), 0)::bigint AS largest,
        least(coalesce(max(own.value + coalesce(others.value, 0)), 0), 9007199254740991)::bigint AS "toPayee"
      FROM own LEFT JOIN others USING (payee)
    `.execute(tx),
  );
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

const about = (of: Approved) =>
  "batchId" in of ? sql`a.batch_id = ${of.batchId}` : sql`a.request_id = ${of.requestId}`;

/** Those that were not voided, the oldest first. */
export async function listApprovals(tx: Tx, of: Approved): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    SELECT a.id, a.user_id, a.user_name, a.digest, a.with_factor, a.approved_at FROM approvals a
    WHERE a.company_id = ${tx.companyId} AND ${about(of)} AND a.voided_at IS NULL ORDER BY a.approved_at, a.id
  `.execute(tx);
  return rows;
}

/** Whose approvals of a batch were not voided. */
export async function approversOf(tx: Tx, batchId: string): Promise<string[]> {
  return (await listApprovals(tx, { batchId })).map(({ user_id }) => user_id);
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

/** The content is another one, or somebody said no. */
export async function voidApprovals(tx: Tx, batchId: string): Promise<void> {
  await sql`
    ${prepared} UPDATE approvals SET voided_at = now()
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND voided_at IS NULL
  `.execute(tx);
}

/** Of a part of what was approved, each payment of which is as it was: what was approved stays so. */
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

export const requestKinds = [
  "CORRECTION",
  "WITHDRAWAL",
  "PAYIN_REFUND",
  "INFRACTION",
  "WITHDRAWAL_ACCOUNT",
  "POLICY",
] as const;
export type RequestKind = (typeof requestKinds)[number];

export interface RequestRow {
  id: string;
  kind: RequestKind;
  object_id: string;
  payload: unknown;
  facts: { label: string; value: string }[];
  amount: number | null;
  digest: string;
  requested_by_kind: "user" | "machine";
  requested_by: string;
  requested_by_name: string;
  preparers: string[];
  has_unknown_preparer: boolean;
  approvers_min: number;
  status: "pending" | "approved" | "rejected" | "cancelled" | "expired" | "obsolete";
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by_name: string | null;
  reason: string | null;
}

const requestColumns = sql`
  r.id, r.kind, r.object_id, r.payload, r.facts, r.amount, r.digest, r.requested_by_kind, r.requested_by,
  r.requested_by_name, r.preparers, r.has_unknown_preparer, r.approvers_min, r.status, r.created_at, r.expires_at,
  r.decided_at, r.decided_by_name, r.reason`;

/** The payments that a correction asks to send again: one alone, or one together with the others of its payload. */
const paymentsAsked = sql`
  SELECT r.object_id UNION SELECT (one ->> 'id')::uuid FROM jsonb_array_elements(r.payload -> 'payments') one`;

/** A correction none of whose payments is failed any more: there is nothing left to approve. Of `approval_requests r`. */
const isObsolete = sql`(r.kind = 'CORRECTION' AND NOT EXISTS (
  SELECT FROM transfers t WHERE t.company_id = r.company_id AND t.status = 'FAILED' AND t.id IN (${paymentsAsked})))`;

/** What nobody decided about in time is over, and so is what can no longer be carried out. */
export async function endRequests(tx: Tx, now: Date): Promise<void> {
  await sql`
    UPDATE approval_requests r SET
      status = CASE WHEN expires_at <= ${now} THEN 'expired' ELSE 'obsolete' END,
      decided_at = CASE WHEN expires_at <= ${now} THEN expires_at ELSE ${now}::timestamptz END
    WHERE company_id = ${tx.companyId} AND status = 'pending' AND (expires_at <= ${now} OR ${isObsolete})
  `.execute(tx);
}

/** Of these payments the ones that an open request asks to send again: alone, or together with others. */
export async function askedFor(tx: Tx, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT asked.id FROM approval_requests r CROSS JOIN LATERAL (${paymentsAsked}) asked (id)
    WHERE r.company_id = ${tx.companyId} AND r.status = 'pending' AND r.kind = 'CORRECTION' AND r.expires_at > ${now}
      AND asked.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** False when there is an open one of the kind about the same thing. */
export async function insertRequest(
  tx: Tx,
  made: Omit<RequestRow, "status" | "decided_at" | "decided_by_name" | "reason">,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO approval_requests (company_id, id, kind, object_id, payload, facts, amount, digest, requested_by_kind,
      requested_by, requested_by_name, preparers, has_unknown_preparer, approvers_min, status, created_at, expires_at)
    VALUES (${tx.companyId}, ${made.id}, ${made.kind}, ${made.object_id}, ${json(made.payload)}, ${json(made.facts)},
      ${made.amount}, ${made.digest}, ${made.requested_by_kind}, ${made.requested_by}, ${made.requested_by_name},
      ${made.preparers}::uuid[], ${made.has_unknown_preparer}, ${made.approvers_min}, 'pending', ${made.created_at},
      ${made.expires_at})
    ON CONFLICT DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

export async function lockRequest(
  tx: Tx,
  id: string,
): Promise<(RequestRow & { is_obsolete: boolean }) | undefined> {
  const { rows } = await sql<RequestRow & { is_obsolete: boolean }>`
    SELECT ${requestColumns}, ${isObsolete} AS is_obsolete FROM approval_requests r WHERE r.company_id = ${tx.companyId} AND r.id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Open, or asked for since then: what was taken back was written to people all the same. */
export async function countAsked(tx: Tx, by: string, since: Date): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM approval_requests
      WHERE company_id = ${tx.companyId} AND requested_by = ${by} AND (status = 'pending' OR created_at > ${since})
    `.execute(tx),
  ).count;
}

/** One of a person's requests after another counts those before it. */
export async function lockAsking(tx: Tx, by: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`asking ${tx.companyId} ${by}`}, 0))`.execute(tx);
}

/** Somebody's e-mail, removed or not; a credential has none. */
const emailOf = (id: RawBuilder<unknown>) =>
  sql`(SELECT u.email FROM users u WHERE u.company_id = r.company_id AND u.id = ${id})`;

/** Whoever writes to approvers waits for the others who do, so that nobody gets two e-mails at once. */
export async function lockNotices(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`notices ${tx.companyId}`}, 0))`.execute(tx);
}

export async function insertNotices(tx: Tx, requestId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO approval_notices (company_id, request_id, user_id)
    SELECT ${tx.companyId}::uuid, ${requestId}::uuid, id FROM unnest(${userIds}::uuid[]) AS given(id)
  `.execute(tx);
}

/** Of those who were written to after `since`, what came later waits. */
const isDue = (since: Date) => sql`n.told_at IS NULL AND NOT EXISTS (
  SELECT FROM approval_notices t WHERE t.company_id = n.company_id AND t.user_id = n.user_id AND t.told_at > ${since})`;

export async function peopleToTell(tx: Tx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT n.user_id AS id FROM approval_notices n WHERE n.company_id = ${tx.companyId} AND ${isDue(since)} ORDER BY 1
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function companiesToTell(tx: AnyTx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT n.company_id AS id FROM approval_notices n WHERE ${isDue(since)}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export interface NoticedRequest {
  kind: RequestKind;
  payload: unknown;
  facts: { label: string; value: string }[];
  requested_by_name: string;
  email: string | null;
}

/** What somebody was not written to about yet and from now on is; those that wait still, the oldest first. */
export async function takeNotices(tx: Tx, userId: string, now: Date): Promise<NoticedRequest[]> {
  const { rows } = await sql<NoticedRequest>`
    WITH taken AS (
      UPDATE approval_notices SET told_at = ${now}
      WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND told_at IS NULL RETURNING request_id)
    SELECT r.kind, r.payload, r.facts, r.requested_by_name, ${emailOf(sql`r.requested_by`)} AS email
    FROM taken JOIN approval_requests r ON r.company_id = ${tx.companyId} AND r.id = taken.request_id
    WHERE r.status = 'pending' AND r.expires_at > ${now} ORDER BY r.created_at, r.id
  `.execute(tx);
  return rows;
}

/** By their ids. */
export async function emailsOf(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { name: string; email: string }>> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    SELECT id, name, email FROM users WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

const decidedShownMax = 50;

/** Every open one, the oldest first, then the newest of the others. `by`: of one person alone. */
export async function listRequests(
  tx: Tx,
  { now, by }: { now: Date; by: string | undefined },
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    WITH r AS MATERIALIZED (
      SELECT id, kind, object_id, payload, facts, amount, digest, requested_by_kind, requested_by, requested_by_name, preparers,
        has_unknown_preparer, approvers_min,
        CASE WHEN status <> 'pending' THEN status WHEN expires_at <= ${now}::timestamptz THEN 'expired'
          WHEN ${isObsolete} THEN 'obsolete' ELSE status END AS status, created_at,
        expires_at, decided_at, decided_by_name, reason
      FROM approval_requests r WHERE company_id = ${tx.companyId}
        AND (${by ?? null}::uuid IS NULL OR ${by ?? null}::uuid = ANY(preparers)))
    (SELECT ${requestColumns} FROM r WHERE r.status = 'pending' ORDER BY r.created_at, r.id)
    UNION ALL
    (SELECT ${requestColumns} FROM r WHERE r.status <> 'pending' ORDER BY r.created_at DESC, r.id DESC LIMIT ${decidedShownMax})
  `.execute(tx);
  return rows;
}

export async function decideRequest(
  tx: Tx,
  id: string,
  decided: { status: "approved" | "rejected" | "cancelled"; by: By; reason: string | null; now: Date },
): Promise<void> {
  await sql`
    UPDATE approval_requests SET status = ${decided.status}, decided_at = ${decided.now}, decided_by = ${decided.by.id},
      decided_by_name = ${decided.by.name}, reason = ${decided.reason}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'pending'
  `.execute(tx);
}

const json = (value: unknown) => sql`${JSON.stringify(value, wholeText)}::jsonb`;

export async function voidApprovalOf(tx: Tx, batchId: string, userId: string): Promise<void> {
  await sql`
    UPDATE approvals SET voided_at = now()
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND user_id = ${userId} AND voided_at IS NULL
  `.execute(tx);
}

/** Admins and operators of payments, whom a policy may count on or name. */
export async function listPeople(
  tx: Tx,
): Promise<{ id: string; name: string; profile: "admin" | "operator"; has_factor: boolean }[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    profile: "admin" | "operator";
    has_factor: boolean;
  }>`
    SELECT id, name, profile, two_factor_at IS NOT NULL AS has_factor FROM users
    WHERE company_id = ${tx.companyId} AND removed_at IS NULL AND 'payments' = ANY(applications)
      AND profile IN ('admin', 'operator')
    ORDER BY profile, name, id
  `.execute(tx);
  return rows;
}
