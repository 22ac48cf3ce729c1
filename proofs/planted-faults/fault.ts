/**
 * A fault of the product, as a programmer's slip could cause it. It is data: SQL that damages the migrated database, a
 * rule that changes the product's statements before they are sent, or the name of a step that an action omits. A fault
 * names a file, a step, SQL or a test title; renaming one fails the check or `faults.test.ts`, which names the fault.
 */
export interface Fault {
  /** The resulting defect, in words. */
  name: string;
  plant: Plant;
  caughtBy: Catcher;
}

export type Plant = Spoiled | Rewritten | Without;

/** A database that differs from the result of the migrations. */
export interface Spoiled {
  sql: string;
}

/** Statements that match are sent with another text. A fault that matches no statement is an error of its own. */
export interface Rewritten {
  statements: RegExp;
  /** The replacement of `String.replace`. */
  becomes: string;
}

/** A file without the one refusal or step that names `step`, or with the one condition that names it always false. */
export interface Without {
  file: string;
  step: string;
}

/** The proof or test that has to fail. */
export interface Catcher {
  file: string;
  /** The start of its title. */
  test: string;
}

/** Changes a few words of a database function, in the definition that the server has, not in the file it came from. */
export const inFunction = (name: string, right: string, wrong: string): Spoiled => ({
  sql: `DO $plant$
    DECLARE
      today text := (SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = ${literal(name)});
    BEGIN
      IF length(today) - length(replace(today, ${literal(right)}, '')) <> length(${literal(right)}) THEN
        RAISE EXCEPTION '% does not hold its words exactly once: %', ${literal(name)}, ${literal(right)};
      END IF;
      EXECUTE replace(today, ${literal(right)}, ${literal(wrong)});
    END $plant$`,
});

/** Changes money movements before they reach the ledger: an expression over the row \`m\` for each wrong column. */
export const movements = (
  which: string,
  wrong: { amount?: string; cause?: string; from?: string; to?: string; missing?: true },
): Spoiled => {
  const column = (right: string, expression?: string) =>
    expression ? `CASE WHEN ${which} THEN ${expression} ELSE m.${right} END` : `m.${right}`;
  return {
    sql: `ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) RENAME TO post_movements_unspoiled;
    CREATE FUNCTION post_movements(p_company uuid, p_at timestamptz, p_movements movement[]) RETURNS boolean
    LANGUAGE sql AS $plant$
      SELECT post_movements_unspoiled(p_company, p_at, ARRAY(
        SELECT ROW(m.id, m.type, ${column("cause", wrong.cause)}, ${column("from_account", wrong.from)},
          ${column("to_account", wrong.to)}, ${column("amount", wrong.amount)}, m.description, m.complement)::movement
        FROM unnest(p_movements) WITH ORDINALITY
          AS m (id, type, cause, from_account, to_account, amount, description, complement, n)
        WHERE ${wrong.missing ? `NOT (${which})` : "true"} ORDER BY m.n))
    $plant$`,
  };
};

const literal = (text: string) => `$words$${text}$words$`;
