import { type RawBuilder, sql } from "kysely";

const marks = /[.\-/()]/g;

/** Removes the punctuation of a number such as a CNPJ; other words stay. */
function bareOf(word: string): string {
  const bare = word.replace(marks, "");
  return /\d/.test(bare) ? bare : word;
}

/**
 * Whether the column holds each of the words, in any order. An empty search matches everything. A document, an agency
 * or an account is found with and without its punctuation; a key only as it is written. The statement's text depends
 * on the number of words and not on the words: a connection keeps the plan of each text.
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
 * A search text for people who see CPFs masked: of a line of eleven digits, a document or a key, the six that a mask
 * shows.
 */
export const shownOf = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`regexp_replace(${column}, ${"(^|\\n)\\d{3}(\\d{6})\\d{2}(?=\\n)"}, ${"\\1\\2"}, 'g')`;

/** Whether a folded column (`search_text`) holds what a person typed, whatever its case and accents. */
export function contains(column: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${column} LIKE fold_text(${pattern})`;
}
