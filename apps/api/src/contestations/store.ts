/** Infractions as rows; each query is one function. */

import type { InfractionFilters } from "@malote/contracts/contestations";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import {
  type AnalysisStatus,
  type AttachmentType,
  infractionTransitions,
  type RefundStatus,
  type SituationType,
} from "@malote/domain/infraction";
import { normaliseTaxId } from "@malote/domain/tax-id";
import { type RawBuilder, sql } from "kysely";
import { sqlJoinAvailable } from "../ledger/index.ts";
import { sqlJoinPayin } from "../payins/index.ts";
import { type Cursor, cutPage } from "../platform/db/cursor.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export interface InfractionRow {
  id: string;
  provider_id: string;
  transaction_id: string;
  txid: string | null;
  amount: number;
  payer_name: string;
  payer_tax_id: string | null;
  situation_type: SituationType;
  infraction_description: string | null;
  infraction_date: Date;
  analysis_due_at: Date;
  analysis_status: AnalysisStatus;
  contested_at: Date | null;
  opinion: string;
  analysis_description: string | null;
  analysed_by_name: string | null;
  analysed_at: Date | null;
  file_key: string | null;
  file_name: string | null;
  file_type: AttachmentType | null;
  file_bytes: number | null;
  reported_at: Date | null;
  refund_status: RefundStatus | null;
  refunded_amount: number | null;
  refund_date: Date | null;
  monitoring_ends_at: Date | null;
  payin_id: string | null;
  payin_left: number | null;
}

const columns = sql`
  i.id, i.provider_id, i.transaction_id, i.txid, i.amount, i.payer_name, i.payer_tax_id, i.situation_type,
  i.infraction_description, i.infraction_date, i.analysis_due_at, i.analysis_status, i.contested_at, i.opinion,
  i.analysis_description, i.analysed_by_name, i.analysed_at, i.file_key, i.file_name, i.file_type, i.file_bytes, i.reported_at,
  r.status AS refund_status, r.refunded_amount, r.refund_date, r.monitoring_ends_at,
  p.id AS payin_id, p.received_amount - p.refunded_amount AS payin_left`;

const from = (tx: Tx) => sql`
  FROM infractions i
  LEFT JOIN infraction_refunds r ON r.company_id = i.company_id AND r.infraction_id = i.id
  LEFT ${sqlJoinPayin(sql`i.company_id`, sql`i.transaction_id`)}
  WHERE i.company_id = ${tx.companyId}`;

function conditions(filters: InfractionFilters): RawBuilder<unknown> {
  const { analysis_status, transaction_id, payer_tax_id } = filters;
  const since = filters.infraction_date__gte as CalendarDate | undefined;
  const until = filters.infraction_date__lte as CalendarDate | undefined;
  return sql.join(
    [
      sql`true`,
      ...(analysis_status ? [sql`i.analysis_status = ${analysis_status}`] : []),
      ...(transaction_id ? [sql`strpos(lower(i.transaction_id), lower(${transaction_id})) > 0`] : []),
      ...(payer_tax_id ? [sql`i.payer_tax_id = ${normaliseTaxId(payer_tax_id)}`] : []),
      ...(since ? [sql`i.infraction_date >= ${startOfDay(since)}`] : []),
      ...(until ? [sql`i.infraction_date < ${startOfDay(addDays(until, 1))}`] : []),
    ],
    sql` AND `,
  );
}

/** Returns infractions from the cursor on, one more than the page shows. */
export async function findPage(
  tx: Tx,
  filters: InfractionFilters,
  cursor: Cursor | undefined,
  size: number,
): Promise<InfractionRow[]> {
  const { behind, order } = cutPage(cursor, size, sql`i.infraction_date`, sql`i.id`);
  const { rows } = await sql<InfractionRow>`
    SELECT ${columns} ${from(tx)} AND ${conditions(filters)} AND ${behind} ${order}
  `.execute(tx);
  return rows;
}

/**
 * Returns pending infractions that are unanswered and still in time, the first to end before the others, with the
 * arrival of their money.
 */
export async function findUnanswered(
  tx: Tx,
  now: Date,
  max: number,
): Promise<
  (Pick<InfractionRow, "id" | "payer_name" | "amount" | "analysis_due_at"> & { received_at: Date | null })[]
> {
  const { rows } = await sql<
    Pick<InfractionRow, "id" | "payer_name" | "amount" | "analysis_due_at"> & { received_at: Date | null }
  >`
    SELECT i.id, i.payer_name, i.amount, i.analysis_due_at, p.received_at FROM infractions i
    LEFT ${sqlJoinPayin(sql`i.company_id`, sql`i.transaction_id`)}
    WHERE i.company_id = ${tx.companyId} AND i.analysis_status = 'pending' AND i.contested_at IS NULL
      AND i.analysis_due_at > ${now}
    ORDER BY i.analysis_due_at, i.id LIMIT ${max}
  `.execute(tx);
  return rows;
}

/** Counts the infractions that `findUnanswered` returns. */
export async function countUnanswered(tx: Tx, now: Date, max: number): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM infractions i
        WHERE i.company_id = ${tx.companyId} AND i.analysis_status = 'pending' AND i.contested_at IS NULL
          AND i.analysis_due_at > ${now} LIMIT ${max}) found
    `.execute(tx),
  ).count;
}

export async function countPending(tx: Tx): Promise<number> {
  const counted = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM infractions
    WHERE company_id = ${tx.companyId} AND analysis_status = 'pending' AND contested_at IS NULL
  `.execute(tx);
  return onlyRow(counted).count;
}

export async function findInfraction(tx: Tx, id: string): Promise<InfractionRow | undefined> {
  const { rows } = await sql<InfractionRow>`SELECT ${columns} ${from(tx)} AND i.id = ${id}`.execute(tx);
  return rows[0];
}

/** Returns the ids of the infractions of each Pix, by its end-to-end id, the newest first. */
export async function findInfractionsOfPix(
  tx: Tx,
  endToEndIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ transaction_id: string; ids: string[] }>`
    SELECT i.transaction_id, array_agg(i.id::text ORDER BY i.infraction_date DESC, i.id) AS ids FROM infractions i
    WHERE i.company_id = ${tx.companyId} AND i.transaction_id = ANY(${[...endToEndIds]}::text[])
    GROUP BY i.transaction_id
  `.execute(tx);
  return new Map(rows.map(({ transaction_id, ids }) => [transaction_id, ids]));
}

/** Locks the infractions that exist, always in the same order, so that two answers cannot deadlock. */
export async function lockInfractions(tx: Tx, ids: readonly string[]): Promise<InfractionRow[]> {
  const { rows } = await sql<InfractionRow>`
    SELECT ${columns} ${from(tx)} AND i.id = ANY(${ids}::uuid[]) ORDER BY i.id FOR UPDATE OF i
  `.execute(tx);
  return rows;
}

export async function lockByProviderId(tx: Tx, providerId: string): Promise<InfractionRow | undefined> {
  const { rows } = await sql<InfractionRow>`
    SELECT ${columns} ${from(tx)} AND i.provider_id = ${providerId} FOR UPDATE OF i
  `.execute(tx);
  return rows[0];
}

export type NewInfraction = Pick<
  InfractionRow,
  | "id"
  | "provider_id"
  | "transaction_id"
  | "txid"
  | "amount"
  | "payer_name"
  | "payer_tax_id"
  | "situation_type"
  | "infraction_description"
  | "infraction_date"
  | "analysis_due_at"
>;

/** Adds an infraction; returns false when it is known already. */
export async function insertInfraction(tx: Tx, i: NewInfraction): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO infractions (company_id, id, provider_id, transaction_id, txid, amount, payer_name, payer_tax_id, situation_type,
      infraction_description, infraction_date, analysis_due_at)
    VALUES (${tx.companyId}, ${i.id}, ${i.provider_id}, ${i.transaction_id}, ${i.txid}, ${i.amount}, ${i.payer_name},
      ${i.payer_tax_id}, ${i.situation_type}, ${i.infraction_description}, ${i.infraction_date}, ${i.analysis_due_at})
    ON CONFLICT DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export interface Attachment {
  key: string;
  name: string;
  type: AttachmentType;
  bytes: number;
}

export interface Answered {
  status: Exclude<AnalysisStatus, "pending">;
  /** Person of the company; null for the provider and for the deadline. */
  by: { id: string; name: string } | null;
  description?: string | null;
  attachment?: Attachment | null;
  now: Date;
}

export async function writeAnswer(tx: Tx, id: string, answer: Answered): Promise<void> {
  const { status, by, description = null, attachment, now } = answer;
  const { rows } = await sql`
    UPDATE infractions SET analysis_status = ${status}, analysed_at = ${now}, analysed_by = ${by?.id ?? null},
      analysed_by_name = ${by?.name ?? null}, analysis_description = ${description}, file_key = ${attachment?.key ?? null},
      file_name = ${attachment?.name ?? null}, file_type = ${attachment?.type ?? null}, file_bytes = ${attachment?.bytes ?? null}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND analysis_status IN ${movesTo(infractionTransitions, status)}
    RETURNING id
  `.execute(tx);
  if (rows.length !== 1) throw new Error(`infraction ${id} is answered although it was locked as unanswered`);
}

export async function setContested(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`
    UPDATE infractions SET contested_at = ${at} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export async function setOpinion(tx: Tx, id: string, opinion: string): Promise<void> {
  await sql`
    UPDATE infractions SET opinion = ${opinion} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

/**
 * Claims answers that are due for the provider; its own opinions need not be sent. They become due again even if this
 * process ends before it learns the result.
 */
export async function claimUnsentAnswers(tx: Tx, now: Date): Promise<InfractionRow[]> {
  const { rows } = await sql<InfractionRow>`
    WITH claimed AS (
      UPDATE infractions SET report_tries = report_tries + 1, report_at = ${nextRetryAt(now, sql`report_tries`)}
      WHERE company_id = ${tx.companyId} AND id IN (
        SELECT u.id FROM infractions u
        WHERE u.company_id = ${tx.companyId} AND u.analysis_status IN ('accepted', 'rejected', 'delayed') AND u.reported_at IS NULL
          AND u.report_at <= ${now}
        ORDER BY u.report_at, u.analysed_at, u.id LIMIT 100 FOR UPDATE SKIP LOCKED)
      RETURNING id)
    SELECT ${columns} ${from(tx)} AND i.id IN (SELECT id FROM claimed) ORDER BY i.analysed_at, i.id
  `.execute(tx);
  return rows;
}

export async function markAnswerSent(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`UPDATE infractions SET reported_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(
    tx,
  );
}

/** Locks infractions that were not answered in time; skips one that is being answered at this moment. */
export async function lockOverdue(tx: Tx, now: Date): Promise<InfractionRow[]> {
  const { rows } = await sql<InfractionRow>`
    SELECT ${columns} ${from(tx)} AND i.analysis_status = 'pending' AND i.contested_at IS NULL AND i.analysis_due_at <= ${now}
    ORDER BY i.id LIMIT 100 FOR UPDATE OF i SKIP LOCKED
  `.execute(tx);
  return rows;
}

/** Returns the companies with work due: deadlines, answers for the provider, and money to collect. */
export async function listCompaniesWithWork(
  tx: AnyTx,
  now: Date,
): Promise<{ kind: "overdue" | "unsent" | "refunds"; company_id: string }[]> {
  const { rows } = await sql<{ kind: "overdue" | "unsent" | "refunds"; company_id: string }>`
    SELECT DISTINCT 'overdue' AS kind, company_id FROM infractions
    WHERE analysis_status = 'pending' AND contested_at IS NULL AND analysis_due_at <= ${now}
    UNION ALL
    SELECT DISTINCT 'unsent', company_id FROM infractions
    WHERE analysis_status IN ('accepted', 'rejected', 'delayed') AND reported_at IS NULL AND report_at <= ${now}
    UNION ALL
    SELECT DISTINCT 'refunds', r.company_id FROM infraction_refunds r
    ${sqlJoinAvailable(sql`r`)}
    WHERE r.status = 'pending' AND (a.balance > 0 OR r.monitoring_ends_at <= ${now})
  `.execute(tx);
  return rows;
}

/** Returns the keys of files that a defence refers to. */
export async function listAttachmentKeys(tx: AnyTx): Promise<Set<string>> {
  const { rows } = await sql<{ file_key: string }>`
    SELECT file_key FROM infractions WHERE file_key IS NOT NULL
  `.execute(tx);
  return new Set(rows.map((row) => row.file_key));
}
