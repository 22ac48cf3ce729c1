import { type RawBuilder, sql } from "kysely";

const marks = /[.\-/()]/g;

/** Removes the punctuation of a number such as a CNPJ; leaves other words unchanged. */
function bareOf(word: string): string {
  const bare = word.replace(marks, "");
  return /\d/.test(bare) ? bare : word;
}

/**
 * SQL condition that the column contains each word, in any order. An empty search matches everything. A document,
 * agency or account matches with and without punctuation; a key only as written. The statement's text depends only on
 * the number of words, because a connection stores the plan of each text.
 */
export function holdsWords(column: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const words = search.split(/\s+/).filter(Boolean);
  const bare = words.map(bareOf);
  const asTyped = words.map((word) => contains(column, word));
  const isEitherWay = words.some((word, at) => word !== bare[at]);
  const conditions = isEitherWay
    ? asTyped.map((typed, at) => sql`(${typed} OR ${contains(column, bare[at] ?? "")})`)
    : asTyped;
  return sql.join([sql`true`, ...conditions], sql` AND `);
}

/**
 * Search text for users who see masked CPFs: replaces a line of eleven digits (a document or a key) with the six digits
 * that a mask shows.
 */
export const shownOf = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`regexp_replace(${column}, ${"(^|\\n)\\d{3}(\\d{6})\\d{2}(?=\\n)"}, ${"\\1\\2"}, 'g')`;

/** SQL condition that a folded column (`search_text`) contains the search, regardless of case and accents. */
export function contains(column: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${column} LIKE fold_text(${pattern})`;
}
