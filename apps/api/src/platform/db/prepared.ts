/** Statements that a connection plans once and keeps. */
import { sql } from "kysely";

const mark = "/* planned once */";

/**
 * Marks a statement of the busy paths that finds its rows by key, so that one plan is right for every company.
 * Parsing and planning such a statement costs PostgreSQL several times what running it does. Its text must be
 * constant: each connection keeps every text for its whole life.
 */
export const prepared = sql.raw(mark);

/** The same for a statement that is written elsewhere. */
export const preparedText = (text: string): string => `${mark} ${text}`;

/** One list for marked statements, whose texts are in the source, and one for all that screens read. */
function namesOf(prefix: string, max: number): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known || names.size >= max) return known;
    const name = `${prefix}_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

const markedName = namesOf("once", Number.POSITIVE_INFINITY);

/** The name under which a connection keeps the statement's plan; none for unmarked ones. */
export const preparedNameOf = (text: string): string | undefined =>
  text.trimStart().startsWith(mark) ? markedName(text) : undefined;

/**
 * For every statement of screens PostgreSQL decides whether one plan serves all values or each execution gets its
 * own, and saves the parsing either way. Up to a number of texts, far above what the screens have: a connection keeps
 * some 20 kB for each, and texts beyond it are planned each time.
 */
export const anyNameOf = namesOf("read", 1_000);
