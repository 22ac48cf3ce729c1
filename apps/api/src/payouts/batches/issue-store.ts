/** Mistakes of a draft in groups of one correction each, and the payments of a group. */

import { sharedFields } from "@malote/domain/bulk-fix";
import type { Issue } from "@malote/domain/issues";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { type RawBuilder, sql } from "kysely";
import { sqlBlockedTaxIds } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { sqlIsOfKind } from "../column-lists.ts";
import type { PaymentKind, StoredIssue } from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import {
  sqlIsCodeExpired,
  sqlIsCodeExpiredByThen,
  sqlIsDuplicatedCode,
  sqlIsHolderBlocked,
  sqlIsOutdated,
  sqlIsOverdueBoleto,
  sqlIsSuspended,
} from "../rules/rules-sql.ts";
import { hourCodes } from "../transfers/present.ts";
import { type TransferRow, transferColumns } from "../transfers/store.ts";
import type { BatchRow } from "./store.ts";

/** Maximum number of groups in an answer; the others follow as these are corrected. */
const groupsMax = 50;
export interface GroupRow {
  code: Issue["code"];
  field: string;
  given: string | null;
  receiver: string | null;
  count: number;
  issue: StoredIssue;
  example: string;
  digest: string;
}

/** Digest of a group's payments: their ids with PostgreSQL's row version (xmin), which every write changes. */
const digestOfRows = sql<string>`md5(string_agg(t.id::text || ' ' || t.xmin::text, ',' ORDER BY t.position, t.id))`;

/**
 * Selects the issues of a payment under the current rules, as `transferOf` shows them: the stored ones, with date,
 * hour, Pix codes, blocked documents, suspended methods and limits evaluated again. Without them a draft that waited
 * over a weekend would show sixty wrong payments and no group to correct. `transfers/rules.test.ts` compares both.
 */
function issuesNow(facts: DayFacts) {
  const { today, tedClosedToday, maxCents } = facts;
  const stored = (code: string, field: string) =>
    sql`coalesce(t.errors @> ${JSON.stringify([{ code, field }])}::jsonb, false)`;
  const issue = (code: string, field: string) => sql`${JSON.stringify({ code, field })}::jsonb`;
  const suspensions = new Map(
    facts.suspended.map((method) => [method, suspensionIssue(method, facts.suspended)]),
  );
  const max = sql`CASE t.payment_method WHEN 'PIX' THEN ${maxCents.PIX}::bigint WHEN 'TED' THEN ${maxCents.TED}::bigint
    ELSE ${maxCents.TEV}::bigint END`;
  return sql`(
    SELECT s.issue FROM jsonb_array_elements(t.errors) AS s (issue)
    WHERE s.issue ->> 'code' <> ALL(${[...hourCodes]}::text[])
    -- Most rows have only stored issues; this guard skips the ten conditions below. Without OFFSET 0, PostgreSQL moves it
    -- into each of them and evaluates it ten times for a row.
    UNION ALL SELECT became.issue FROM (SELECT WHERE ${sqlIsOutdated(facts)} OFFSET 0) AS late CROSS JOIN LATERAL (
    SELECT ${issue("payment_date_expired", "payment_date")} AS issue WHERE t.payment_date < ${today}::date
    UNION ALL SELECT ${issue("payment_time_expired", "payment_date")}
      WHERE ${tedClosedToday}::boolean AND t.payment_method = 'TED' AND t.payment_date = ${today}::date
    UNION ALL SELECT ${issue("qr_expired", "emv")} WHERE ${sqlIsCodeExpired(facts)}
    UNION ALL SELECT ${issue("qr_expired_by_then", "payment_date")} WHERE ${sqlIsCodeExpiredByThen(facts)}
    UNION ALL SELECT ${issue("qr_duplicated", "emv")} WHERE ${sqlIsDuplicatedCode}
    UNION ALL SELECT ${issue("tax_id_blocked", "cpf_cnpj")}
      WHERE t.tax_id IN (${sqlBlockedTaxIds}) AND NOT ${stored("tax_id_blocked", "cpf_cnpj")}
    UNION ALL SELECT ${issue("tax_id_blocked", "pix_key")}
      WHERE t.pix_key_type IN ('CPF', 'CNPJ') AND t.pix_key IN (${sqlBlockedTaxIds}) AND t.pix_key IS DISTINCT FROM t.tax_id
        AND NOT ${stored("tax_id_blocked", "pix_key")}
    UNION ALL SELECT ${issue("tax_id_blocked", "pix_key")}
      WHERE ${sqlIsHolderBlocked} AND NOT ${stored("tax_id_blocked", "cpf_cnpj")} AND NOT ${stored("tax_id_blocked", "pix_key")}
        AND (t.tax_id IN (${sqlBlockedTaxIds})) IS NOT TRUE
        AND (t.pix_key_type IN ('CPF', 'CNPJ') AND t.pix_key IN (${sqlBlockedTaxIds})) IS NOT TRUE
    UNION ALL SELECT ${JSON.stringify(Object.fromEntries(suspensions))}::jsonb -> t.payment_method WHERE ${sqlIsSuspended(facts)}
    UNION ALL SELECT jsonb_build_object('code', 'value_above_max', 'field', 'value', 'data', jsonb_build_object('max', ${max}))
      WHERE t.value > ${max} AND NOT ${stored("value_above_max", "value")}
    ) AS became
  )`;
}

/** Condition for the wrong rows of a draft. */
const wrongRows = (tx: Tx, batchId: string, facts: DayFacts) => sql`
  t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'
    AND (t.errors IS NOT NULL OR ${sqlIsOutdated(facts)})`;

/** Condition for issues that form groups. Boletos have no receiver to group by, only the fields that all share. */
const isGrouped: Readonly<Record<PaymentKind, (facts: DayFacts) => RawBuilder<unknown>>> = {
  TRANSFER: () => sql`true`,
  BILLET: (facts) => sql`e.issue ->> 'field' = ANY(${[...sharedFields.BILLET]}::text[])
          -- Another payment day does not help an overdue boleto.
          AND NOT (e.issue ->> 'field' = 'payment_date' AND ${sqlIsOverdueBoleto(facts)})`,
};

/** Joins each wrong row with its issues that belong to a group, once for each issue. */
const issueRows = (tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">, facts: DayFacts) => sql`
  transfers t CROSS JOIN LATERAL ${issuesNow(facts)} AS e (issue)
  WHERE ${wrongRows(tx, id, facts)} AND ${isGrouped[type](facts)}`;

/**
 * Condition for issues that form one group whatever the cells contain: suggestions, and dates or hours that have
 * passed.
 */
const isOneForAll = sql`(e.issue ? 'suggestion' OR e.issue ->> 'code' IN ('payment_date_expired', 'payment_time_expired'))`;
/** Cell text that separates groups; null where every row has its own suggestion or the date has passed. */
const givenOf = sql`CASE WHEN ${isOneForAll} THEN NULL ELSE e.issue ->> 'given' END`;
/** Receiver that separates groups; null where one answer can be right for several receivers. */
const receiverOf = sql`CASE WHEN ${isOneForAll} OR ${sqlIsOfKind.BILLET}
  OR e.issue ->> 'field' = ANY(${[...sharedFields.TRANSFER]}::text[]) THEN NULL
  ELSE coalesce(t.tax_id, t.pix_key, t.id::text) END`;

/** Counts the wrong rows and their groups, and finds out whether any row has a code. */
export async function countGroups(tx: Tx, batch: Pick<BatchRow, "id" | "type">, facts: DayFacts) {
  const { rows } = await sql<GroupRow>`
    SELECT e.issue ->> 'code' AS code, e.issue ->> 'field' AS field, ${givenOf} AS given, ${receiverOf} AS receiver,
           count(*)::int AS count,
           (array_agg(e.issue ORDER BY t.position))[1] AS issue, (array_agg(t.id ORDER BY t.position))[1] AS example,
           ${digestOfRows} AS digest
    FROM ${issueRows(tx, batch, facts)}
    GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 3, 4 LIMIT ${groupsMax}
  `.execute(tx);
  const counted = await sql<{ count: number; hasCodes: boolean }>`
    SELECT count(*) FILTER (WHERE ${wrongRows(tx, batch.id, facts)})::int AS count,
      coalesce(bool_or(t.emv_until IS NOT NULL OR t.emv_location IS NOT NULL OR t.barcode IS NOT NULL), false) AS "hasCodes"
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id}
  `.execute(tx);
  return { rows, ...onlyRow(counted) };
}

interface GroupKey {
  code: string;
  field: string;
  given?: string | null | undefined;
  receiver?: string | null | undefined;
}

/** A group of a draft, under the rules of this moment. */
export type GroupRequest = { batch: Pick<BatchRow, "id" | "type">; group: GroupKey; facts: DayFacts };

const groupIssueRows = (tx: Tx, { batch, group, facts }: GroupRequest) => sql`
  ${issueRows(tx, batch, facts)}
    AND e.issue ->> 'code' = ${group.code} AND e.issue ->> 'field' = ${group.field}
    AND ${givenOf} IS NOT DISTINCT FROM ${group.given ?? null}::text
    AND ${receiverOf} IS NOT DISTINCT FROM ${group.receiver ?? null}::text`;

/** Lists the payments of a group in the order of the batch. */
export async function listGroupPaymentIds(tx: Tx, request: GroupRequest): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT ON (t.position, t.id) t.id FROM ${groupIssueRows(tx, request)} ORDER BY t.position, t.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns the digest of a group's payments; the empty string when the group is empty. */
export async function readGroupDigest(tx: Tx, request: GroupRequest): Promise<string> {
  return onlyRow(
    await sql<{ digest: string }>`
      SELECT coalesce(${digestOfRows}, '') AS digest FROM ${groupIssueRows(tx, request)}
    `.execute(tx),
  ).digest;
}

/** Reads transfers by id, in no order. */
export async function readTransfersById(tx: Tx, ids: readonly string[]): Promise<Map<string, TransferRow>> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}
