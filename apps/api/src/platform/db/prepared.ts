/** Statements that a connection plans once and keeps. */
import { sql } from "kysely";

const mark = "/* planned once */";

/**
 * Begins a statement of the busy paths that finds its rows by key, so that one plan is right for every company. Reading and
 * planning such a statement costs PostgreSQL several times what running it does. Its text must never change: each other
 * text is kept by each connection for as long as it lives. Not for lists and searches, whose best plan depends on what is asked.
 */
export const prepared = sql.raw(mark);

/** The same for a statement that is written elsewhere. */
export const preparedText = (text: string): string => `${mark} ${text}`;

const names = new Map<string, string>();

/** The name a connection keeps the statement's plan under; none for the others. */
export function preparedNameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || !text.trimStart().startsWith(mark)) return known;
  const name = `once_${names.size + 1}`;
  names.set(text, name);
  return name;
}
