/** Requests that wait for approvals, and the notices sent about them. */
import type { RequestKind } from "@malote/domain/controls";
import { sql } from "kysely";
import { sqlEmailOf, sqlPersonBehind } from "../identities/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { lockFor, lockObject } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { boletoCodesLock, equalPaymentsLock, noticesLock, requesterLock } from "./locks.ts";
import type { PersonRef } from "./store.ts";

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

/** Payments that a correction resends: its object alone, or together with the others of its payload. */
const sqlRequestedPayments = sql`
  SELECT r.object_id UNION SELECT (one ->> 'id')::uuid FROM jsonb_array_elements(r.payload -> 'payments') one`;

/**
 * True when `approval_requests r` has nothing left to approve: no payment of a correction is failed any more, or an
 * infraction was answered meanwhile, here or by e-mail. A refund above the remaining amount stays open, because a
 * refund under way may fail.
 */
const isObsolete = sql`CASE r.kind
  WHEN 'CORRECTION' THEN NOT EXISTS (
    SELECT FROM transfers t WHERE t.company_id = r.company_id AND t.status = 'FAILED' AND t.id IN (${sqlRequestedPayments}))
  WHEN 'INFRACTION' THEN EXISTS (
    SELECT FROM infractions i WHERE i.company_id = r.company_id
      AND (i.analysis_status <> 'pending' OR i.contested_at IS NOT NULL)
      AND i.id IN (SELECT one::uuid FROM jsonb_array_elements_text(r.payload -> 'ids') one))
  ELSE false END`;

/** Ends requests that were not decided in time or can no longer be executed. */
export async function endRequests(tx: Tx, now: Date): Promise<void> {
  await sql`
    UPDATE approval_requests r SET
      status = CASE WHEN expires_at <= ${now} THEN 'expired' ELSE 'obsolete' END,
      decided_at = CASE WHEN expires_at <= ${now} THEN expires_at ELSE ${now}::timestamptz END
    WHERE company_id = ${tx.companyId} AND status = 'pending' AND (expires_at <= ${now} OR ${isObsolete})
  `.execute(tx);
}

/** Returns the payments among these that an open request resends, alone or with others. */
export async function listRequestedPayments(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT requested.id FROM approval_requests r CROSS JOIN LATERAL (${sqlRequestedPayments}) requested (id)
    WHERE r.company_id = ${tx.companyId} AND r.status = 'pending' AND r.kind = 'CORRECTION' AND r.expires_at > ${now}
      AND requested.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export interface RequestedAnswer {
  requested_by: string;
  requested_at: Date;
  infractions: number;
}

/** Returns the oldest open request to accept each of these infractions, alone or with others. */
export async function listRequestedAnswers(
  tx: Tx,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, RequestedAnswer>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<RequestedAnswer & { id: string }>`
    SELECT DISTINCT ON (requested.id) requested.id::uuid AS id, r.requested_by_name AS requested_by, r.created_at AS requested_at,
      jsonb_array_length(r.payload -> 'ids') AS infractions
    FROM approval_requests r CROSS JOIN LATERAL jsonb_array_elements_text(r.payload -> 'ids') requested (id)
    WHERE r.company_id = ${tx.companyId} AND r.status = 'pending' AND r.kind = 'INFRACTION' AND r.expires_at > ${now}
      AND NOT ${isObsolete} AND requested.id = ANY(${[...ids]}::text[])
    ORDER BY requested.id, r.created_at, r.id
  `.execute(tx);
  return new Map(rows.map(({ id, ...requested }) => [id, requested]));
}

/** Adds a request; returns false when an open one of its kind exists for the same object. */
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

/**
 * Counts requests that are open or were made after `since`, because people are e-mailed even about a withdrawn one.
 * Counts a person under all their ids, with the credentials they made, or one credential without a recorded maker.
 */
export async function countRequestsBy(tx: Tx, requester: readonly string[], since: Date): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM approval_requests r
      WHERE r.company_id = ${tx.companyId} AND (r.status = 'pending' OR r.created_at > ${since})
        AND ${sqlPersonBehind(sql`r.company_id`, sql`r.requested_by`)} = ANY(${requester}::uuid[])
    `.execute(tx),
  ).count;
}

/** Serialises the requests of a person, so that each counts those before it. */
export async function lockRequester(tx: Tx, requester: readonly string[]): Promise<void> {
  const [who] = [...requester].sort();
  await lockObject(tx, requesterLock, `${tx.companyId} ${who}`);
}

/** Serialises e-mails to approvers, so that no approver gets two at once. */
export async function lockNotices(tx: Tx): Promise<void> {
  await lockFor(tx, noticesLock);
}

export async function insertNotices(tx: Tx, requestId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO approval_notices (company_id, request_id, user_id)
    SELECT ${tx.companyId}::uuid, ${requestId}::uuid, id FROM unnest(${userIds}::uuid[]) AS given(id)
  `.execute(tx);
}

/** True when notice `n` may be sent: later requests wait for people who were notified after `since`. */
const isDue = (since: Date) => sql`n.sent_at IS NULL AND NOT EXISTS (
  SELECT FROM approval_notices t WHERE t.company_id = n.company_id AND t.user_id = n.user_id AND t.sent_at > ${since})`;

export async function listPeopleToEmail(tx: Tx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT n.user_id AS id FROM approval_notices n WHERE n.company_id = ${tx.companyId} AND ${isDue(since)} ORDER BY 1
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function listCompaniesToEmail(tx: AnyTx, since: Date): Promise<string[]> {
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

/** Marks a person's unsent notices as sent; returns those of pending requests, the oldest first. */
export async function claimNotices(tx: Tx, userId: string, now: Date): Promise<NoticedRequest[]> {
  const { rows } = await sql<NoticedRequest>`
    WITH taken AS (
      UPDATE approval_notices SET sent_at = ${now}
      WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND sent_at IS NULL RETURNING request_id)
    SELECT r.kind, r.payload, r.facts, r.requested_by_name, ${sqlEmailOf(sql`r.company_id`, sql`r.requested_by`)} AS email
    FROM taken JOIN approval_requests r ON r.company_id = ${tx.companyId} AND r.id = taken.request_id
    WHERE r.status = 'pending' AND r.expires_at > ${now} ORDER BY r.created_at, r.id
  `.execute(tx);
  return rows;
}

/**
 * Locks the rows that executing a request about failed payments needs, in the order of a correction: its batch, then
 * the codes of boletos and charges, then the search for equal payments. Does nothing for other requests.
 */
export async function lockBatchOfRequest(tx: Tx, requestId: string): Promise<void> {
  const { rows } = await sql`
    SELECT b.id FROM batches b JOIN approval_requests r ON r.company_id = b.company_id AND b.id = (r.payload ->> 'batchId')::uuid
    WHERE r.company_id = ${tx.companyId} AND r.id = ${requestId} AND r.kind = 'CORRECTION' FOR UPDATE OF b
  `.execute(tx);
  if (rows.length === 0) return;
  await lockFor(tx, boletoCodesLock);
  await lockFor(tx, equalPaymentsLock);
}

const openShownMax = 100;
const decidedShownMax = 50;

/**
 * Returns pending requests, the oldest first, then the newest of the others, and the number of pending ones. `by`: only
 * requests that this person prepared.
 */
export async function listRequests(
  tx: Tx,
  { now, by }: { now: Date; by: string | undefined },
): Promise<{ rows: RequestRow[]; openCount: number }> {
  const { rows } = await sql<RequestRow & { open_count: number }>`
    WITH r AS MATERIALIZED (
      SELECT id, kind, object_id, payload, facts, amount, digest, requested_by_kind, requested_by, requested_by_name, preparers,
        has_unknown_preparer, approvers_min,
        CASE WHEN status <> 'pending' THEN status WHEN expires_at <= ${now}::timestamptz THEN 'expired'
          WHEN ${isObsolete} THEN 'obsolete' ELSE status END AS status, created_at,
        expires_at, decided_at, decided_by_name, reason
      FROM approval_requests r WHERE company_id = ${tx.companyId}
        AND (${by ?? null}::uuid IS NULL OR ${by ?? null}::uuid = ANY(preparers)))
    (SELECT ${requestColumns}, count(*) OVER () AS open_count FROM r WHERE r.status = 'pending'
      ORDER BY r.created_at, r.id LIMIT ${openShownMax})
    UNION ALL
    (SELECT ${requestColumns}, 0 FROM r WHERE r.status <> 'pending' ORDER BY r.created_at DESC, r.id DESC LIMIT ${decidedShownMax})
  `.execute(tx);
  return { rows, openCount: rows[0]?.open_count ?? 0 };
}

/**
 * Counts, up to `max`, the pending requests that this person neither prepared, under any of their ids, nor approved
 * after the last change of their access.
 */
export async function countOpenFor(tx: Tx, person: OpenForApprover): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM approval_requests r WHERE ${isOpenFor(tx, person)} LIMIT ${person.max}) open
    `.execute(tx),
  ).count;
}

interface OpenForApprover {
  id: string;
  /** The person's own ids and those of the credentials they made. */
  ids: readonly string[];
  knownSince: Date | null;
  exceptPolicies: boolean;
  now: Date;
  max: number;
}

/** True when `approval_requests r` is open, prepared by others, and not approved by this person yet. */
const isOpenFor = (tx: Tx, { id, ids, knownSince, exceptPolicies, now }: OpenForApprover) => sql`
  r.company_id = ${tx.companyId} AND r.status = 'pending' AND r.expires_at > ${now} AND NOT ${isObsolete}
    AND NOT r.preparers && ${ids}::uuid[] AND NOT (${exceptPolicies} AND r.kind = 'POLICY')
    AND NOT EXISTS (
      SELECT FROM approvals a WHERE a.company_id = r.company_id AND a.request_id = r.id AND a.user_id = ${id}
        AND a.voided_at IS NULL AND a.digest = r.digest
        AND a.approved_at >= coalesce(${knownSince}::timestamptz, a.approved_at))`;

/** Returns the requests that `countOpenFor` counts, the first to expire before the others. */
export async function listOpenFor(tx: Tx, person: OpenForApprover): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    SELECT ${requestColumns} FROM approval_requests r WHERE ${isOpenFor(tx, person)}
    ORDER BY r.expires_at, r.id LIMIT ${person.max}
  `.execute(tx);
  return rows;
}

export async function decideRequest(
  tx: Tx,
  id: string,
  decided: { status: "approved" | "rejected" | "cancelled"; by: PersonRef; reason: string | null; now: Date },
): Promise<void> {
  await sql`
    UPDATE approval_requests SET status = ${decided.status}, decided_at = ${decided.now}, decided_by = ${decided.by.id},
      decided_by_name = ${decided.by.name}, reason = ${decided.reason}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'pending'
  `.execute(tx);
}

const json = (value: unknown) => sql`${JSON.stringify(value, wholeText)}::jsonb`;
