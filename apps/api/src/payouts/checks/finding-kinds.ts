/**
 * How each kind of finding is found, over the tables that `found-store.ts` puts before it: one SELECT per kind with the
 * payment, the other payment of a pair, the data of its sentence, and what a confirmation covers besides the payment.
 */
import { type CheckKind, earlyDays, farValue } from "@malote/domain/checks";
import { integrationIdMax } from "@malote/domain/limits";
import { type RawBuilder, sql } from "kysely";
import type { DayFacts } from "../rules/day-facts.ts";

/**
 * What a name in Portuguese may hold, after NFKC: Latin characters with their marks, and punctuation. Characters of
 * other scripts can be drawn as Latin ones; `compared_name` knows the usual ones only. The same holds for the Latin
 * characters of African languages and clicks, such as \u0196 and \u01c0, which are drawn as l.
 */
const latinSigns = [
  "[\\u0001-\\u017f\\u01a0\\u01a1\\u01af\\u01b0\\u01cd-\\u01dc\\u01e6-\\u01ed\\u01f0\\u01f4\\u01f5",
  "\\u01f8-\\u021b\\u021e\\u021f\\u0226-\\u0233\\u0300-\\u036f\\u1e00-\\u1eff\\u2010-\\u205e]+",
].join("");

export const sqlFindings = (companyId: string, { today }: Pick<DayFacts, "today">) =>
  ({
    expired_date: sql`
      SELECT m.id, NULL::uuid, '{}'::jsonb, NULL::text FROM mine m WHERE m.is_expired
        OR m.errors @> '[{"code":"payment_date_expired"}]' OR m.errors @> '[{"code":"payment_time_expired"}]'`,
    same_payment: sql`
      SELECT d.id, d.other, '{}'::jsonb, NULL::text FROM (
        SELECT DISTINCT ON (id) id, other FROM (
          SELECT id, other, 1 AS rank FROM twice
          UNION ALL SELECT id, other, 2 FROM before b WHERE NOT EXISTS (SELECT FROM steadily s WHERE s.id = b.id)
          UNION ALL SELECT id, other, 3 FROM boletos_twice) a ORDER BY id, rank) d`,
    steady_payment: sql`
      SELECT s.id, s.other, '{}'::jsonb, NULL::text FROM steadily s
      WHERE NOT EXISTS (SELECT FROM twice w WHERE w.id = s.id)`,
    same_reference: sql`
      SELECT m.id, coalesce(p.id, h.first),
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
        AND NOT EXISTS (SELECT FROM twice w WHERE w.id = m.id) AND NOT EXISTS (SELECT FROM before b WHERE b.id = m.id)`,
    changed_account: sql`
      SELECT m.id, p.last, jsonb_build_object('now', m.destination, 'before', p.destination), m.destination
      FROM mine m JOIN paid p ON p.payee = m.payee
      WHERE NOT EXISTS (SELECT FROM paid_to t WHERE t.payee = m.payee AND t.destination = m.destination)`,
    like_name: sql`
      SELECT l.id, l.other, jsonb_build_object('name', l.first_name), NULL::text FROM (
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
      ) l WHERE l.payee <> l.first_payee AND l.destination <> l.first_destination`,
    other_alphabet: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('signs', left(m.signs, 20)), NULL::text FROM (
        SELECT m.id, m.payee, regexp_replace(normalize(m.name, NFKC), ${sql.lit(latinSigns)}, '', 'g') AS signs FROM mine m
        WHERE octet_length(m.name) <> char_length(m.name)) m
      WHERE m.signs <> '' AND NOT EXISTS (SELECT FROM paid p WHERE p.payee = m.payee)`,
    value_far: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('paid', p.times, 'largest', p.largest), NULL::text
      FROM mine m JOIN paid p ON p.payee = m.payee
      WHERE p.times >= ${sql.lit(farValue.paidMin)} AND m.value > p.largest * ${sql.lit(farValue.times)}
        AND m.value - p.largest >= ${sql.lit(farValue.aboveCents)}`,
    suggested_data: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('marks', m.marks::text), m.marks::text
      FROM (
        -- One day or one description that a person chose for many payments sends no money elsewhere.
        SELECT id, jsonb_path_query_array(data_marks, '$[*] ? (@.origin != "changed" && (@.origin != "corrected"
          || (@.field != "payment_date" && @.field != "pix_description")))') AS marks
        FROM mine WHERE data_marks IS NOT NULL AND status = 'CREATED'
      ) m WHERE m.marks <> '[]'`,
    changed_data: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('marks', m.marks::text), m.marks::text
      FROM (
        -- Neither does another day, description or e-mail address.
        SELECT id, jsonb_path_query_array(data_marks, '$[*] ? (@.origin == "changed" && @.field != "payment_date"
          && @.field != "pix_description" && @.field != "email")') AS marks
        FROM mine WHERE data_marks IS NOT NULL AND status = 'CREATED'
      ) m WHERE m.marks <> '[]'`,
    // Removing a row and adding a payment in its place changes no row.
    not_in_sheet: sql`
      SELECT m.id, NULL::uuid, '{}'::jsonb, NULL::text FROM mine m
      JOIN batches b ON b.company_id = ${companyId} AND b.id = m.batch_id AND b.sheet_id IS NOT NULL
      WHERE m.sheet_row IS NULL AND m.status = 'CREATED'`,
    failed_receiver: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('reason', m.failure), NULL::text
      FROM mine m WHERE m.failure IS NOT NULL`,
    billet_overdue: sql`
      SELECT m.id, NULL::uuid, jsonb_build_object('days', ${today}::date - m.due_date), m.due_date::text
      FROM mine m WHERE m.due_date < ${today}::date AND m.errors IS NULL`,
    billet_early: sql`
      SELECT m.id, NULL::uuid,
        jsonb_build_object('days', m.due_date - m.day, 'due', to_char(m.due_date, 'DD/MM/YYYY')), NULL::text
      FROM mine m WHERE m.due_date - m.day > ${sql.lit(earlyDays)}`,
    new_receiver: sql`
      SELECT n.id, NULL::uuid, '{}'::jsonb, NULL::text FROM (
        SELECT DISTINCT ON (payee) id, payee FROM mine WHERE payee IS NOT NULL ORDER BY payee, position, id) n
      WHERE NOT EXISTS (SELECT FROM paid p WHERE p.payee = n.payee)`,
    repeated_integration_id: sql`
      SELECT m.id, o.id, jsonb_build_object('id', left(m.integration_id, 60)), NULL::text FROM mine m
      CROSS JOIN LATERAL (SELECT o.id FROM transfers o
        JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id AND b.status <> 'REMOVED'
        WHERE o.company_id = ${companyId} AND o.integration_id = m.integration_id AND o.id <> m.id
          AND length(o.integration_id) <= ${sql.lit(integrationIdMax)} LIMIT 1) o
      WHERE length(m.integration_id) <= ${sql.lit(integrationIdMax)}`,
  }) as const satisfies { readonly [Kind in CheckKind]?: RawBuilder<unknown> };
