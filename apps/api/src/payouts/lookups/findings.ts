/** What was found out about the payments of a batch, as data: what somebody should look at before they leave. */
import { type CalendarDate, daysBetween, saoPauloDate } from "@malote/domain/calendar";
import type { LookupFinding, LookupFindingCode } from "@malote/domain/lookup-findings";
import { maskTaxId } from "@malote/domain/tax-id";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";

interface FindingRow {
  id: string;
  code: LookupFindingCode;
  name: string | null;
  tax_id: string | null;
  due_date: CalendarDate | null;
  value: number | null;
}

/**
 * Of each payment of the batch at most one: it goes to nobody's key, to another's, or its boleto is not what its code says. A
 * draft whose questions were not asked yet says so.
 */
export async function lookupFindings(
  tx: Tx,
  /** Payments, as rows of `transfers`. */
  payments: RawBuilder<unknown>,
  now: Date,
  codes?: readonly LookupFindingCode[],
): Promise<LookupFinding[]> {
  const today = saoPauloDate(now);
  const { rows } = await sql<FindingRow>`
    SELECT found.* FROM (
      SELECT t.id, t.position, k.holder_name AS name, k.holder_tax_id AS tax_id, NULL::date AS due_date, t.value,
        CASE
          WHEN k.outcome = 'not_found' THEN 'key_not_found'
          WHEN k.is_salary_account THEN 'key_salary_account'
          WHEN k.outcome = 'found' AND coalesce(t.pix_key_validation, t.tax_id) <> k.holder_tax_id THEN 'key_holder_differs'
          WHEN k.outcome IS NULL OR k.outcome = 'silent' THEN 'key_not_asked'
        END AS code
      FROM (${payments}) t LEFT JOIN key_lookups k ON k.company_id = t.company_id AND k.pix_key = t.pix_key
      WHERE t.pix_key IS NOT NULL AND t.errors IS NULL
      UNION ALL
      SELECT t.id, t.position, b.registered -> 'beneficiary' ->> 'name', b.registered -> 'beneficiary' ->> 'taxId', t.due_date,
        t.value,
        CASE
          WHEN b.outcome = 'paid' THEN 'billet_paid'
          WHEN b.outcome = 'unpayable' THEN 'billet_unpayable'
          WHEN b.outcome = 'not_registered' THEN 'billet_not_registered'
          WHEN b.outcome = 'payable' AND t.due_date < ${today}::date THEN 'billet_overdue'
          WHEN b.outcome IS NULL OR b.outcome = 'silent' THEN 'billet_not_asked'
        END
      FROM (${payments}) t LEFT JOIN billet_lookups b ON b.company_id = t.company_id AND b.barcode = t.barcode
      WHERE t.payment_method = 'BILLET' AND t.errors IS NULL
    ) found WHERE found.code IS NOT NULL
      AND (${codes ? [...codes] : null}::text[] IS NULL OR found.code = ANY(${codes ? [...codes] : null}::text[]))
    ORDER BY found.position, found.id
  `.execute(tx);
  return rows.map((row) => ({ paymentId: row.id, code: row.code, data: dataOf(row, today) }));
}

function dataOf(
  { code, name, tax_id, due_date, value }: FindingRow,
  today: CalendarDate,
): LookupFinding["data"] {
  if (code === "key_holder_differs") return { name: name ?? "", document: maskTaxId(tax_id ?? "") };
  if (code === "billet_overdue" && due_date) return { days: daysBetween(due_date, today), total: value ?? 0 };
  return {};
}
