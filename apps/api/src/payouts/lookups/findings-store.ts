/** Statements about the lookups of the payments of a batch; the payments are given as rows of `transfers`. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { LookupFindingCode } from "@malote/domain/lookup-findings";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { sqlIsOfKind } from "../column-lists.ts";

/** Code of a row. Names are compared by the caller when there is no document to compare. */
export type FindingRowCode = LookupFindingCode | "key_by_name";

export interface FindingRow {
  id: string;
  position: number;
  code: FindingRowCode;
  name: string | null;
  given: string | null;
  is_own_document: boolean;
  tax_id: string | null;
  due_date: CalendarDate | null;
  value: number | null;
}

const keysOf = (payments: RawBuilder<unknown>) => sql`
  (${payments}) t LEFT JOIN key_lookups k ON k.company_id = t.company_id AND k.pix_key = t.pix_key
  WHERE t.pix_key IS NOT NULL AND t.errors IS NULL`;
const isUnanswered = sql`(k.outcome IS NULL OR k.outcome = 'silent')`;
/** A key that is a CPF or CNPJ is the document of its holder, so their agreement proves nothing. */
const isOwnDocument = sql`t.pix_key_type IN ('CPF', 'CNPJ')`;

/** Returns at most one row for each payment, of the given codes, in the order of the batch. */
export async function listFindingRows(
  tx: Tx,
  payments: RawBuilder<unknown>,
  codes: readonly FindingRowCode[],
  today: CalendarDate,
): Promise<FindingRow[]> {
  const { rows } = await sql<FindingRow>`
    SELECT found.* FROM (
      SELECT t.id, t.position, t.name AS given, ${isOwnDocument} AS is_own_document, k.holder_name AS name, k.holder_tax_id AS tax_id, NULL::date AS due_date, t.value,
        CASE
          WHEN k.outcome = 'not_found' THEN 'key_not_found'
          WHEN k.is_salary_account THEN 'key_salary_account'
          WHEN k.outcome = 'found' AND coalesce(t.pix_key_validation, t.tax_id) <> k.holder_tax_id THEN 'key_holder_differs'
          WHEN k.outcome = 'found' AND coalesce(t.pix_key_validation, t.tax_id) IS NULL THEN 'key_by_name'
          WHEN ${isUnanswered} THEN 'key_not_asked'
        END AS code
      FROM ${keysOf(payments)}
      UNION ALL
      SELECT t.id, t.position, NULL, false, b.registered -> 'beneficiary' ->> 'name', b.registered -> 'beneficiary' ->> 'taxId', t.due_date,
        t.value,
        CASE
          WHEN b.outcome = 'paid' THEN 'billet_paid'
          WHEN b.outcome = 'unpayable' THEN 'billet_unpayable'
          WHEN b.outcome = 'not_registered' THEN 'billet_not_registered'
          WHEN b.outcome = 'payable' AND t.due_date < ${today}::date THEN 'billet_overdue'
          WHEN b.outcome IS NULL OR b.outcome = 'silent' THEN 'billet_not_asked'
        END
      FROM (${payments}) t LEFT JOIN boleto_lookups b ON b.company_id = t.company_id AND b.barcode = t.barcode
      WHERE ${sqlIsOfKind.BILLET} AND t.errors IS NULL
    ) found WHERE found.code = ANY(${[...codes]}::text[])
    ORDER BY found.position, found.id
  `.execute(tx);
  return rows;
}

/**
 * Returns how many keys have no lookup, and a page of their payments. A large batch has more keys than the directory
 * answers.
 */
export async function listUnansweredKeys(
  tx: Tx,
  payments: RawBuilder<unknown>,
  { from, max }: { from: number; max: number },
): Promise<{ count: number; value: number; hash: string; ids: string[] }> {
  return onlyRow(
    await sql<{ count: number; value: number; hash: string; ids: string[] }>`
      SELECT count(*)::int AS count, least(coalesce(sum(value), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint AS value,
        encode(sha256(convert_to(coalesce(jsonb_agg(jsonb_build_array(id, value, pix_key, name) ORDER BY nth), '[]')::text, 'UTF8')), 'hex')
          AS hash,
        coalesce(array_agg(id ORDER BY nth) FILTER (WHERE nth > ${from} AND nth <= ${from + max}), '{}') AS ids
      FROM (SELECT t.id, t.value, t.pix_key, t.name, row_number() OVER (ORDER BY t.position, t.id) AS nth FROM ${keysOf(payments)} AND ${isUnanswered}) u
    `.execute(tx),
  );
}
