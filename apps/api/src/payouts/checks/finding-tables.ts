/**
 * The tables over which findings are found, as parts of one WITH. Every comparison joins by equality, and `past` is
 * read once whatever the number of payments to a payee: a company that pays one receiver a hundred thousand times is
 * checked in the same time.
 */
import { submittedBatchStatuses } from "@malote/domain/batch-status";
import { historyDays, sameValueDays, steady } from "@malote/domain/checks";
import { statusesArrived } from "@malote/domain/payment-status";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import { sqlDestination } from "../column-lists.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired } from "../rules/rules-sql.ts";
import { destination, type PaymentScope } from "./store.ts";

const day = (t: string) =>
  sql`coalesce(${sql.raw(t)}.payment_date, (${sql.raw(t)}.created_at AT TIME ZONE 'America/Sao_Paulo')::date)`;

/**
 * `mine`: the payments under check. `payee` is the receiver's document where it is known, from the payment, the saved
 * receiver or another payment to the same destination, else the key. `past`: each payee's earlier payments.
 */
export const sqlPayments = (
  { companyId }: Pick<Tx, "companyId">,
  { rows: payments, others }: PaymentScope,
  facts: DayFacts,
  now: Date,
) => sql`
  given AS MATERIALIZED (
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
      WHERE t.payment_method <> 'BILLET' AND r.company_id = ${companyId} AND r.destination = t.place
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
      SELECT * FROM transfers o WHERE o.company_id = ${companyId}
        AND CASE WHEN o.tax_id IS NULL THEN o.pix_key ELSE o.tax_id END = k.key
      OFFSET 0) o
    JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id
    WHERE ${others} AND b.type = 'TRANSFER'
      AND b.status IN ${statusIn(submittedBatchStatuses)}
      -- A failed payment can be resent; a payment being returned may still be paid twice.
      AND o.status <> 'RETURNED'
      AND o.created_at >= ${now}::timestamptz - make_interval(days => ${sql.lit(historyDays)})
  )`;

/** `twice`, `before` and `steadily`: payments of equal value and receiver; two different documents are two payments. */
export const sqlEqualPayments = sql`
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
  )`;

/** `boletos_twice`: a boleto of the same bank, value and due date with another code is often the same one, reprinted. */
export const sqlEqualBoletos = (
  { companyId }: Pick<Tx, "companyId">,
  { others }: Pick<PaymentScope, "others">,
  now: Date,
) => sql`
  boletos AS (
    SELECT m.id, m.value, m.due_date, m.position, left(m.barcode, 3) AS issuer, m.barcode FROM mine m
    WHERE m.method = 'BILLET' AND m.barcode ~ '^[0-9]{44}$' AND m.due_date IS NOT NULL
  ), boletos_before AS (
    SELECT o.id, o.value, o.due_date, left(o.barcode, 3) AS issuer, o.barcode FROM transfers o
    JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id
    WHERE o.company_id = ${companyId} AND ${others} AND o.payment_method = 'BILLET'
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
  )`;

/** `paid`, `paid_to` and `referred`: what each payee was paid before. */
export const sqlHistory = sql`
  paid AS (
    SELECT payee, count(*) AS times, max(value) AS largest,
      (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS last,
      (array_agg(destination ORDER BY created_at DESC, id DESC))[1] AS destination
    FROM past WHERE is_paid GROUP BY payee
  ), paid_to AS (
    SELECT DISTINCT payee, destination FROM past WHERE is_paid
  ), referred AS (
    SELECT payee, reference, (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id FROM past
    WHERE reference IS NOT NULL GROUP BY payee, reference
  )`;
