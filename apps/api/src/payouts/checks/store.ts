/** Detection of unusual payments, in one statement for a batch of any size. */

import { submittedBatchStatuses } from "@malote/domain/batch-status";
import {
  type CheckKind,
  earlyDays,
  farValue,
  historyDays,
  sameValueDays,
  steady,
} from "@malote/domain/checks";
import { integrationIdMax } from "@malote/domain/limits";
import { statusesArrived } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import { wholeText } from "../../platform/db/whole-text.ts";
import { sqlDestination } from "../column-lists.ts";
import type { PaymentField, ResendRecord } from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired } from "../rules/rules-sql.ts";

/** Maximum number of findings of a kind that are shown; the others are only counted. */
export const shownMax = 20;

/** Page of the findings of each kind, in the order of the batch. */
export interface PageRange {
  from: number;
  max: number;
}
export const firstPage: PageRange = { from: 0, max: shownMax };
export const everyPage: PageRange = { from: 0, max: 10_000_000 };

export interface Found {
  kind: CheckKind;
  count: number;
  value: number;
  fingerprint: string;
  /** The requested page of findings; empty for a batch-level finding, which is in `whole`. */
  first: { id: string; other: string | null; data: Record<string, string | number> }[];
  whole?: Readonly<Record<string, string | number>>;
}

/**
 * What a name in Portuguese may hold, after NFKC: Latin characters with their marks, and punctuation. Characters of other
 * scripts can be drawn as Latin ones; `compared_name` knows the usual ones only.
 */
const latinSigns = "[\\u0001-\\u024f\\u0300-\\u036f\\u1e00-\\u1eff\\u2010-\\u205e]+";

/** Returns the SQL text of a payment's destination, in the form by which people distinguish accounts. */
const destination = (t: string) =>
  sql.raw(`CASE WHEN ${t}.pix_key IS NOT NULL THEN 'chave ' || ${t}.pix_key
    ELSE concat_ws(' ', 'banco', ${t}.bank_ispb, 'agência', ltrim(${t}.agency, '0'),
      'conta', concat_ws('-', ltrim(${t}.account, '0'), ${t}.account_digit)) END`);

/**
 * Columns that a confirmation covers: the value and the payee, in every field that a person sees. The order is part of
 * the confirmations in the database.
 */
export const confirmedColumns = [
  ...(["value", "destination", "barcode", "name", "tax_id"] as const),
  ...(["agency_digit", "account_type", "pix_key_validation"] as const),
] as const;

type ConfirmedColumn = (typeof confirmedColumns)[number];

/** Fields that no confirmation covers by themselves, each with the reason. Every other field is a confirmed column. */
export const unconfirmedFields: Readonly<Record<Exclude<PaymentField, ConfirmedColumn>, string>> = {
  pix_key: "part of the destination",
  bank_ispb: "part of the destination",
  agency: "part of the destination",
  account: "part of the destination",
  account_digit: "part of the destination",
  pix_key_type: "follows from the key",
  email: "takes a message and no money",
  payment_date: "sends no money elsewhere",
  integration_id: "sends no money elsewhere",
  pix_description: "sends no money elsewhere",
  description: "sends no money elsewhere",
  due_date: "follows from the code",
};

/** Returns the SQL array of what a confirmation covers of payment `t`. A change of any of it asks again. */
const contentOf = (t: string) =>
  sql.raw(`jsonb_build_array(${confirmedColumns.map((column) => `${t}.${column}`).join(", ")})`);

/**
 * Payments under check as rows of `transfers`, and the condition on `o` for the payments that they are compared with.
 */
export interface PaymentScope {
  rows: RawBuilder<unknown>;
  others: RawBuilder<unknown>;
}

export const paymentsOf = (tx: Tx, batchId: string): PaymentScope => ({
  rows: sql`SELECT t.* FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}`,
  others: sql`o.batch_id <> ${batchId}`,
});

/** Returns resent payments, each compared with every payment outside this set, including those of its own batch. */
export const resentPayments = (tx: Tx, resends: readonly ResendRecord[]): PaymentScope => ({
  rows: sql`
    SELECT c.* FROM jsonb_to_recordset(${JSON.stringify(resends, wholeText)}::jsonb) AS g (id uuid, record jsonb)
      JOIN transfers t ON t.company_id = ${tx.companyId} AND t.id = g.id
      CROSS JOIN LATERAL jsonb_populate_record(t, g.record) c`,
  others: sql`o.id <> ALL(${resends.map(({ id }) => id)}::uuid[])`,
});

/**
 * Returns the findings of all kinds. `payee` is the receiver's document where it is known, from the payment, the saved
 * receiver or another payment of the batch to the same destination, else the key. `past` holds each payee's earlier
 * payments, read once whatever the number of payments to it, and every comparison joins by equality: a company that
 * pays one receiver a hundred thousand times is checked in the same time.
 */
export async function findAll(
  tx: Tx,
  { rows: payments, others }: PaymentScope,
  facts: DayFacts,
  now: Date,
  { from, max }: PageRange = firstPage,
): Promise<Found[]> {
  const day = (t: string) =>
    sql`coalesce(${sql.raw(t)}.payment_date, (${sql.raw(t)}.created_at AT TIME ZONE 'America/Sao_Paulo')::date)`;
  // Every join is an equi-join, and a fresh import has no statistics: an estimate of one row would lead to nested
  // loops.
  const setUp =
    sql`SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`.execute(tx);
  const looking = sql<Found>`
    ${prepared} WITH given AS MATERIALIZED (
      SELECT t.id, t.batch_id, t.sheet_row, t.position, t.value, t.name, t.tax_id, t.agency_digit, t.account_type, t.pix_key_validation, t.integration_id, t.payment_method AS method, t.data_marks, t.status,
        coalesce(t.tax_id, r.tax_id) AS document, t.pix_key, ${destination("t")} AS destination,
        greatest(coalesce(t.payment_date, ${facts.today}::date), ${facts.today}::date) AS day,
        coalesce(t.integration_id, document_in(t.pix_description)) AS ident, document_in(t.pix_description) AS reference,
        t.pix_description, t.barcode, t.due_date, t.errors, ${sqlIsExpired(facts)} AS is_expired,
        CASE WHEN r.status = 'FAILED' THEN coalesce(r.status_description, 'sem motivo informado') END AS failure
      FROM (
        -- A subquery of its own: the join compares plain columns, and row security leaves the index usable.
        SELECT t.*, ${sqlDestination} AS place
        FROM (${payments}) t OFFSET 0) t
      LEFT JOIN LATERAL (
        SELECT r.tax_id, r.status, r.status_description FROM receivers r
        WHERE t.payment_method <> 'BILLET' AND r.company_id = ${tx.companyId} AND r.destination = t.place
        OFFSET 0) r ON true
    ), documents AS (
      SELECT destination, min(document) AS document FROM given WHERE document IS NOT NULL AND method <> 'BILLET'
      GROUP BY destination HAVING min(document) = max(document)
    ), mine AS MATERIALIZED (
      SELECT g.*, coalesce(g.document, d.document, g.pix_key) AS payee
      FROM given g LEFT JOIN documents d ON d.destination = g.destination AND g.document IS NULL AND g.method <> 'BILLET'
    ), keys AS MATERIALIZED (
      SELECT payee, payee AS key FROM mine WHERE payee IS NOT NULL
      UNION SELECT payee, pix_key FROM mine WHERE pix_key IS NOT NULL
    ), past AS MATERIALIZED (
      SELECT k.payee, o.id, o.value, ${destination("o")} AS destination, ${day("o")} AS day,
        o.status IN ${statusIn(statusesArrived)} AS is_paid, o.created_at,
        coalesce(o.integration_id, document_in(o.pix_description)) AS ident, document_in(o.pix_description) AS reference
      FROM keys k
      CROSS JOIN LATERAL (
        SELECT * FROM transfers o WHERE o.company_id = ${tx.companyId}
          AND CASE WHEN o.tax_id IS NULL THEN o.pix_key ELSE o.tax_id END = k.key
        OFFSET 0) o
      JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id
      WHERE ${others} AND b.type = 'TRANSFER'
        AND b.status IN ${statusIn(submittedBatchStatuses)}
        -- A failed payment can be resent; a payment being returned may still be paid twice.
        AND o.status <> 'RETURNED'
        AND o.created_at >= ${now}::timestamptz - make_interval(days => ${sql.lit(historyDays)})
    ),
    -- Equal value and receiver; two different documents are two payments.
    past_equal AS (
      SELECT payee, value, day, ident, (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id FROM past
      GROUP BY payee, value, day, ident
    ), past_days AS (
      SELECT payee, value, day, (array_agg(id ORDER BY id DESC))[1] AS id,
        (array_agg(id ORDER BY id DESC) FILTER (WHERE ident IS NULL))[1] AS nameless
      FROM past_equal GROUP BY payee, value, day
    ), gaps AS (
      SELECT payee, value, count(gap) AS gaps, min(gap) AS least, max(gap) AS most, max(day) AS last FROM (
        SELECT payee, value, day, day - lag(day) OVER (PARTITION BY payee, value ORDER BY day) AS gap FROM past_days) g
      GROUP BY payee, value
    ), before AS (
      SELECT DISTINCT ON (c.id) c.* FROM (
        SELECT m.id, m.payee, m.value, m.day, p.id AS other, p.day AS other_day FROM mine m
        JOIN past_equal p ON p.payee = m.payee AND p.value = m.value AND p.ident = m.ident
        UNION ALL
        SELECT m.id, m.payee, m.value, m.day, CASE WHEN m.ident IS NULL THEN p.id ELSE p.nameless END, p.day FROM mine m
        JOIN past_days p ON p.payee = m.payee AND p.value = m.value
      ) c WHERE c.other IS NOT NULL AND abs(c.day - c.other_day) <= ${sql.lit(sameValueDays)}
      ORDER BY c.id, abs(c.day - c.other_day), c.other
    ), here AS (
      SELECT m.id, m.payee, m.value, m.ident,
        row_number() OVER (PARTITION BY m.payee, m.value ORDER BY m.position, m.id) AS nth,
        row_number() OVER (PARTITION BY m.payee, m.value, m.ident ORDER BY m.position, m.id) AS nth_of_ident,
        count(*) FILTER (WHERE m.ident IS NULL) OVER (PARTITION BY m.payee, m.value ORDER BY m.position, m.id
          ROWS UNBOUNDED PRECEDING) AS nameless,
        first_value(m.id) OVER (PARTITION BY m.payee, m.value ORDER BY m.position, m.id) AS first
      FROM mine m WHERE m.payee IS NOT NULL AND m.value > 0
    ), twice AS (
      SELECT id, first AS other FROM here WHERE nth > 1 AND (ident IS NULL OR nth_of_ident > 1 OR nameless > 0)
    ), steadily AS (
      SELECT b.id, b.other FROM before b JOIN gaps g ON g.payee = b.payee AND g.value = b.value
      WHERE g.gaps >= 1 AND least(g.least, b.day - g.last) >= ${sql.lit(steady.gapMin)}
        AND greatest(g.most, b.day - g.last) - least(g.least, b.day - g.last)
          <= greatest(${sql.lit(steady.slackMin)}, least(g.least, b.day - g.last) / ${sql.lit(steady.slackPart)})
    ),
    -- A boleto of the same bank, value and due date with another code is often the same one, printed again.
    boletos AS (
      SELECT m.id, m.value, m.due_date, m.position, left(m.barcode, 3) AS issuer, m.barcode FROM mine m
      WHERE m.method = 'BILLET' AND m.barcode ~ '^[0-9]{44}$' AND m.due_date IS NOT NULL
    ), boletos_before AS (
      SELECT o.id, o.value, o.due_date, left(o.barcode, 3) AS issuer, o.barcode FROM transfers o
      JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id
      WHERE o.company_id = ${tx.companyId} AND ${others} AND o.payment_method = 'BILLET'
        AND EXISTS (SELECT FROM boletos) AND b.type = 'BILLET'
        AND b.status IN ${statusIn(submittedBatchStatuses)}
        AND b.created_at >= ${now}::timestamptz - make_interval(days => ${sql.lit(sameValueDays)})
        AND o.status <> 'RETURNED' AND o.due_date IS NOT NULL
    ), boletos_twice AS (
      SELECT DISTINCT ON (c.id) c.id, c.other FROM (
        SELECT m.id, o.id AS other FROM boletos m JOIN boletos_before o
          ON o.value = m.value AND o.due_date = m.due_date AND o.issuer = m.issuer AND o.barcode <> m.barcode
        UNION ALL
        SELECT id, first FROM (SELECT id, first_value(id) OVER same AS first, row_number() OVER same AS nth FROM boletos
          WINDOW same AS (PARTITION BY value, due_date, issuer ORDER BY position, id)) s WHERE nth > 1
      ) c ORDER BY c.id, c.other
    ), paid AS (
      SELECT payee, count(*) AS times, max(value) AS largest,
        (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS last,
        (array_agg(destination ORDER BY created_at DESC, id DESC))[1] AS destination
      FROM past WHERE is_paid GROUP BY payee
    ), paid_to AS (
      SELECT DISTINCT payee, destination FROM past WHERE is_paid
    ), referred AS (
      SELECT payee, reference, (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id FROM past
      WHERE reference IS NOT NULL GROUP BY payee, reference
    ), found (kind, id, other, data, extra) AS (
      SELECT 'expired_date', m.id, NULL::uuid, '{}'::jsonb, NULL::text FROM mine m WHERE m.is_expired
        OR m.errors @> '[{"code":"payment_date_expired"}]' OR m.errors @> '[{"code":"payment_time_expired"}]'
      UNION ALL
      SELECT 'same_payment', d.id, d.other, '{}', NULL FROM (
        SELECT DISTINCT ON (id) id, other FROM (
          SELECT id, other, 1 AS rank FROM twice
          UNION ALL SELECT id, other, 2 FROM before b WHERE NOT EXISTS (SELECT FROM steadily s WHERE s.id = b.id)
          UNION ALL SELECT id, other, 3 FROM boletos_twice) a ORDER BY id, rank) d
      UNION ALL
      SELECT 'steady_payment', s.id, s.other, '{}', NULL FROM steadily s
      WHERE NOT EXISTS (SELECT FROM twice w WHERE w.id = s.id)
      UNION ALL
      SELECT 'same_reference', m.id, coalesce(p.id, h.first),
        jsonb_build_object('reference', left(m.pix_description, 60)),
        jsonb_build_array(m.pix_description, h.description)::text
      FROM mine m
      LEFT JOIN referred p ON p.payee = m.payee AND p.reference = m.reference
      LEFT JOIN (SELECT id, first_value(id) OVER same AS first, row_number() OVER same AS nth,
            first_value(pix_description) OVER same AS description FROM mine
          WHERE payee IS NOT NULL AND reference IS NOT NULL
          WINDOW same AS (PARTITION BY payee, reference ORDER BY position, id)) h ON h.id = m.id AND h.nth > 1
      WHERE (p.id IS NOT NULL OR h.id IS NOT NULL)
        -- The number of a document, and not a day, a month or a year.
        AND m.reference ~ '[0-9]{3,}' AND m.pix_description !~ '^[^0-9]*([0-9]{1,2}\\s*/\\s*)*(19|20)[0-9]{2}[^0-9]*$'
        AND NOT EXISTS (SELECT FROM twice w WHERE w.id = m.id) AND NOT EXISTS (SELECT FROM before b WHERE b.id = m.id)
      UNION ALL
      SELECT 'changed_account', m.id, p.last, jsonb_build_object('now', m.destination, 'before', p.destination), m.destination
      FROM mine m JOIN paid p ON p.payee = m.payee
      WHERE NOT EXISTS (SELECT FROM paid_to t WHERE t.payee = m.payee AND t.destination = m.destination)
      UNION ALL
      SELECT 'like_name', l.id, l.other, jsonb_build_object('name', l.first_name), NULL FROM (
        SELECT m.id, m.payee, m.destination, m.name, first_value(m.id) OVER same AS other,
          first_value(m.payee) OVER same AS first_payee, first_value(m.destination) OVER same AS first_destination,
          first_value(m.name) OVER same AS first_name
        FROM (
          -- OFFSET 0: the name is compared once and not in each clause that uses the result.
          SELECT *, compared_name(name) AS compared FROM (
            SELECT *, count(*) OVER (PARTITION BY value, day) AS alike FROM mine WHERE payee IS NOT NULL
          ) c WHERE alike > 1 AND name IS NOT NULL OFFSET 0) m
        WHERE length(m.compared) >= 5
        WINDOW same AS (PARTITION BY m.value, m.day, m.compared ORDER BY m.position, m.id)
      ) l WHERE l.payee <> l.first_payee AND l.destination <> l.first_destination
      UNION ALL
      SELECT 'other_alphabet', m.id, NULL, jsonb_build_object('signs', left(m.signs, 20)), NULL FROM (
        SELECT m.id, m.payee, regexp_replace(normalize(m.name, NFKC), ${sql.lit(latinSigns)}, '', 'g') AS signs FROM mine m
        WHERE octet_length(m.name) <> char_length(m.name)) m
      WHERE m.signs <> '' AND NOT EXISTS (SELECT FROM paid p WHERE p.payee = m.payee)
      UNION ALL
      SELECT 'value_far', m.id, NULL, jsonb_build_object('paid', p.times, 'largest', p.largest), NULL
      FROM mine m JOIN paid p ON p.payee = m.payee
      WHERE p.times >= ${sql.lit(farValue.paidMin)} AND m.value > p.largest * ${sql.lit(farValue.times)}
        AND m.value - p.largest >= ${sql.lit(farValue.aboveCents)}
      UNION ALL
      SELECT 'suggested_data', m.id, NULL, jsonb_build_object('marks', m.marks::text), m.marks::text
      FROM (
        -- One day or one description that a person chose for many payments sends no money elsewhere.
        SELECT id, jsonb_path_query_array(data_marks, '$[*] ? (@.origin != "changed" && (@.origin != "corrected"
          || (@.field != "payment_date" && @.field != "pix_description")))') AS marks
        FROM mine WHERE data_marks IS NOT NULL AND status = 'CREATED'
      ) m WHERE m.marks <> '[]'
      UNION ALL
      SELECT 'changed_data', m.id, NULL, jsonb_build_object('marks', m.marks::text), m.marks::text
      FROM (
        -- Neither does another day, description or e-mail address.
        SELECT id, jsonb_path_query_array(data_marks, '$[*] ? (@.origin == "changed" && @.field != "payment_date"
          && @.field != "pix_description" && @.field != "email")') AS marks
        FROM mine WHERE data_marks IS NOT NULL AND status = 'CREATED'
      ) m WHERE m.marks <> '[]'
      UNION ALL
      -- Removing a row and adding a payment in its place changes no row.
      SELECT 'not_in_sheet', m.id, NULL, '{}', NULL FROM mine m
      JOIN batches b ON b.company_id = ${tx.companyId} AND b.id = m.batch_id AND b.sheet_id IS NOT NULL
      WHERE m.sheet_row IS NULL AND m.status = 'CREATED'
      UNION ALL
      SELECT 'failed_receiver', m.id, NULL, jsonb_build_object('reason', m.failure), NULL
      FROM mine m WHERE m.failure IS NOT NULL
      UNION ALL
      SELECT 'billet_overdue', m.id, NULL, jsonb_build_object('days', ${facts.today}::date - m.due_date), m.due_date::text
      FROM mine m WHERE m.due_date < ${facts.today}::date AND m.errors IS NULL
      UNION ALL
      SELECT 'billet_early', m.id, NULL,
        jsonb_build_object('days', m.due_date - m.day, 'due', to_char(m.due_date, 'DD/MM/YYYY')), NULL
      FROM mine m WHERE m.due_date - m.day > ${sql.lit(earlyDays)}
      UNION ALL
      SELECT 'new_receiver', n.id, NULL, '{}', NULL FROM (
        SELECT DISTINCT ON (payee) id, payee FROM mine WHERE payee IS NOT NULL ORDER BY payee, position, id) n
      WHERE NOT EXISTS (SELECT FROM paid p WHERE p.payee = n.payee)
      UNION ALL
      SELECT 'repeated_integration_id', m.id, o.id, jsonb_build_object('id', left(m.integration_id, 60)), NULL FROM mine m
      CROSS JOIN LATERAL (SELECT o.id FROM transfers o
        JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id AND b.status <> 'REMOVED'
        WHERE o.company_id = ${tx.companyId} AND o.integration_id = m.integration_id AND o.id <> m.id
          AND length(o.integration_id) <= ${sql.lit(integrationIdMax)} LIMIT 1) o
      WHERE length(m.integration_id) <= ${sql.lit(integrationIdMax)}
    ), numbered AS (
      SELECT f.*, m.value, row_number() OVER (PARTITION BY f.kind ORDER BY m.position, m.id) AS nth,
        sha256(convert_to(jsonb_build_array(f.id, ${contentOf("m")}, f.other, ${contentOf("o")}, f.extra)::text, 'UTF8')) AS hash
      FROM found f JOIN mine m ON m.id = f.id LEFT JOIN mine o ON o.id = f.other
    )
    SELECT kind, count(*)::int AS count, least(coalesce(sum(value), 0), 9007199254740991)::bigint AS value,
      count(*) || '-' || encode(sha256(string_agg(hash, ''::bytea ORDER BY id, other, extra)), 'hex') AS fingerprint,
      coalesce(jsonb_agg(jsonb_build_object('id', id, 'other', other, 'data', data) ORDER BY nth)
        FILTER (WHERE nth > ${from}::int AND nth <= ${from + max}::int), '[]') AS first
    FROM numbered GROUP BY kind
  `.execute(tx);
  const restored = sql`SELECT set_config('enable_nestloop', 'on', true)`.execute(tx);
  const [, { rows }] = await Promise.all([setUp, looking, restored]);
  return rows;
}

interface Content {
  value: number | null;
  content: string;
}

/** Returns the values of payments, and the content that a confirmation covers, by payment. */
export async function readContents(
  tx: Tx,
  { rows: payments }: PaymentScope,
  ids: readonly string[],
): Promise<Map<string, Content>> {
  const { rows } = await sql<Content & { id: string }>`
    ${prepared} SELECT t.id, t.value, ${contentOf("t")}::text AS content
    FROM (SELECT t.*, ${destination("t")} AS destination FROM (${payments}) t) t WHERE t.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, ...one }) => [id, one]));
}
