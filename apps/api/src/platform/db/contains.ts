import { type RawBuilder, sql } from "kysely";

/** Whether a folded column (`search_text`) holds what a person typed, whatever its case and accents. */
export function contains(column: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${column} LIKE fold_text(${pattern})`;
}
