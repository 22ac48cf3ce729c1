/** Versions of the policy, and approvals. */
import { type ControlPolicy, firstPolicy } from "@malote/domain/controls";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { lockFor } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { policiesLock } from "./locks.ts";

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
  await lockFor(tx, policiesLock);
}

export async function readLastVersion(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ version: number }>`
      SELECT coalesce(max(version), 0)::int AS version FROM control_policies WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).version;
}

export interface PersonRef {
  id: string;
  name: string;
}

export async function insertPolicy(
  tx: Tx,
  made: {
    version: number;
    policy: ControlPolicy;
    by: PersonRef;
    approvedBy?: PersonRef;
    inForceAt: Date;
    now: Date;
  },
): Promise<void> {
  await sql`
    INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name, approved_by,
      approved_by_name)
    VALUES (${tx.companyId}, ${made.version}, ${JSON.stringify(made.policy)}::jsonb, ${made.inForceAt}, ${made.now},
      ${made.by.id}, ${made.by.name}, ${made.approvedBy?.id ?? null}, ${made.approvedBy?.name ?? null})
  `.execute(tx);
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
export async function listApprovalsOfRequests(
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

/** Returns whether a batch has an approval that is not voided. */
export async function hasApprovals(tx: Tx, batchId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM approvals WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND voided_at IS NULL LIMIT 1
  `.execute(tx);
  return rows.length > 0;
}

/** A person's approvals `a` of a batch `b` that are not voided; a condition may follow after AND. */
export const sqlApprovalsBy = (userId: string): RawBuilder<unknown> => sql`
  SELECT FROM approvals a WHERE a.company_id = b.company_id AND a.batch_id = b.id AND a.user_id = ${userId}
    AND a.voided_at IS NULL`;

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
    by: PersonRef;
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

export async function voidApproval(tx: Tx, batchId: string, userId: string): Promise<void> {
  await sql`
    UPDATE approvals SET voided_at = now()
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND user_id = ${userId} AND voided_at IS NULL
  `.execute(tx);
}
