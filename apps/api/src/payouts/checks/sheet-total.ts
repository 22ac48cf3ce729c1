/** Total that a sheet states in a row of its own, compared with the current total of its batch. */
import { checkTitle, findingText } from "@malote/domain/checks";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import type { Found } from "./store.ts";

/**
 * Returns a finding when the two totals differ, because the sheet is added up wrongly or its payments changed later.
 */
export async function checkSheetTotal(tx: Tx, batch: { id: string; value: number }): Promise<Found[]> {
  const { rows } = await sql<{ row: number; stated: number }>`
    ${prepared} SELECT (s.total -> 'sheet_row')::int AS row, (s.total -> 'stated')::bigint AS stated
    FROM batches b JOIN sheets s ON s.company_id = b.company_id AND s.id = b.sheet_id
    WHERE b.company_id = ${tx.companyId} AND b.id = ${batch.id} AND jsonb_typeof(s.total -> 'stated') = 'number'
  `.execute(tx);
  return rows
    .filter(({ stated }) => stated !== batch.value)
    .map(({ row, stated }) => ({
      kind: "sheet_total",
      count: 1,
      value: Math.abs(stated - batch.value),
      fingerprint: `${stated}-${batch.value}`,
      first: [],
      whole: { row, stated, sum: batch.value },
    }));
}

/**
 * Returns the title of a finding. A finding about the whole batch has no list of payments, so its title includes the
 * text.
 */
export const titleOf = ({ kind, count, whole }: Found): string =>
  whole
    ? `${checkTitle(kind, count)}. ${findingText({ kind, value: null, other: null, data: whole })}`
    : checkTitle(kind, count);
