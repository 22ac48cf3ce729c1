/** Detection of unusual payments, in one statement for a batch of any size. */
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlFindings } from "./finding-kinds.ts";
import { sqlEqualBoletos, sqlEqualPayments, sqlHistory, sqlPayments } from "./finding-tables.ts";
import { contentOf, type Found, firstPage, type PageRange, type PaymentScope } from "./store.ts";

/** Returns the findings of all kinds, of each the page `from` to `from + max`. */
export async function findAll(
  tx: Tx,
  scope: PaymentScope,
  facts: DayFacts,
  now: Date,
  { from, max }: PageRange = firstPage,
): Promise<Found[]> {
  const findings = Object.entries(sqlFindings(tx.companyId, facts)).map(
    ([kind, rows]) => sql`SELECT ${sql.lit(kind)}, f.* FROM (${rows}) f`,
  );
  // Every join is an equi-join, and a fresh import has no statistics: an estimate of one row would lead to nested
  // loops.
  const setUp =
    sql`SELECT set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`.execute(tx);
  const looking = sql<Found>`
    ${prepared} WITH ${sqlPayments(tx, scope, facts, now)}, ${sqlEqualPayments}, ${sqlEqualBoletos(tx, scope, now)},
    ${sqlHistory}, found (kind, id, other, data, extra) AS (${sql.join(findings, sql` UNION ALL `)}), numbered AS (
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
