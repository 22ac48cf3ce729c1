/** Statements that a connection plans once and keeps. */
import { sql } from "kysely";

const mark = "/* planned once */";

/**
 * Begins a statement of the busy paths that finds its rows by key, so that one plan is right for every company. Reading and
 * planning such a statement costs PostgreSQL several times what running it does. Its text must never change: each other
 * text is kept by each connection for as long as it lives.
 */
export const prepared = sql.raw(mark);

/** The same for a statement that is written elsewhere. */
export const preparedText = (text: string): string => `${mark} ${text}`;

/** One list for what is marked, whose texts are those of the source, and one for all that screens read. */
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

/** The name a connection keeps the statement's plan under; none for those that are not marked. */
export const preparedNameOf = (text: string): string | undefined =>
  text.trimStart().startsWith(mark) ? markedName(text) : undefined;

/**
 * The same for every statement: where screens read, PostgreSQL decides which plans serve for all values and which are made for
 * each, and is spared the reading of the text either way. Up to a number of texts, far above what the screens have: a
 * connection keeps some 20 kB for each, and texts past it are planned each time.
 */
export const anyNameOf = namesOf("read", 1_000);
