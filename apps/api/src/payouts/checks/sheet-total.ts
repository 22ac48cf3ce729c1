/** The total that a sheet stated in a row of its own, beside what the payments of its batch add up to now. */
import { checkTitle, findingText } from "@malote/domain/checks";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import type { Found } from "./store.ts";

/** Found where the two differ, whether the sheet added up wrongly or its payments were changed since. */
export async function sheetTotal(tx: Tx, batch: { id: string; value: number }): Promise<Found[]> {
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

/** What is found in the batch as a whole has no list of payments: its title says it all. */
export const titleOf = ({ kind, count, whole }: Found): string =>
  whole
    ? `${checkTitle(kind, count)}. ${findingText({ kind, value: null, other: null, data: whole })}`
    : checkTitle(kind, count);
