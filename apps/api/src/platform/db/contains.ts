import { type RawBuilder, sql } from "kysely";

const marks = /[.\-/()]/g;

/** A document, an agency or an account is found with and without its marks; a key only as it is written. */
function holdsWord(column: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  const bare = word.replace(marks, "");
  const asTyped = contains(column, word);
  return bare === word || !/\d/.test(bare) ? asTyped : sql`(${asTyped} OR ${contains(column, bare)})`;
}

/** Whether it holds each of the words, in any order. No words are held by everything. */
export const holdsWords = (column: RawBuilder<unknown>, search: string): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...search
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => holdsWord(column, word)),
    ],
    sql` AND `,
  );

/** A search text for who sees people's CPFs masked: of a line of eleven digits, a document or a key, the six that a mask shows. */
export const shownOf = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`regexp_replace(${column}, ${"(^|\\n)\\d{3}(\\d{6})\\d{2}(?=\\n)"}, ${"\\1\\2"}, 'g')`;

/** Whether a folded column (`search_text`) holds what a person typed, whatever its case and accents. */
export function contains(column: RawBuilder<unknown>, search: string): RawBuilder<unknown> {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${column} LIKE fold_text(${pattern})`;
}
