/** Statements that a connection plans once and reuses. */
import { sql } from "kysely";

const mark = "/* planned once */";

/**
 * Marks a statement of the busy paths that finds its rows by key, so that one plan suits every company. Parsing and
 * planning such a statement costs PostgreSQL several times as much as running it. Its text must be constant, because
 * each connection stores every text for its whole life.
 */
export const prepared = sql.raw(mark);

/** Marks a statement that is written elsewhere. */
export const preparedText = (text: string): string => `${mark} ${text}`;

/**
 * Creates names for texts, up to `max`. Marked statements, whose texts are in the source, and screen reads have
 * separate lists.
 */
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

/** Returns the name under which a connection stores the statement's plan; undefined for unmarked statements. */
export const preparedNameOf = (text: string): string | undefined =>
  text.trimStart().startsWith(mark) ? markedName(text) : undefined;

/**
 * Names the statements of screens. PostgreSQL decides whether one plan serves all values or each execution gets its
 * own; either way it saves the parsing. The maximum is far above the number of screen statements; further texts are
 * planned each time, because a connection stores some 20 kB per text.
 */
export const anyNameOf = namesOf("read", 1_000);
