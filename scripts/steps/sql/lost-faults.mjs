/**
 * The planted faults that are SQL, each with nothing that it would change: R15 draws a few of them, and would notice
 * only then.
 */
import { describeOn } from "./describe.mjs";

/**
 * Returns the faults that cannot be planted in the present schema or in the statements of the product, a line each.
 * @param {readonly Pick<import("../../../proofs/planted-faults/fault.ts").Fault, "name" | "plant">[]} faults
 * @param {readonly import("./describe.mjs").Sent[]} statements
 * @param {import("./database.mjs").EmptyDatabase} database
 */
export async function lostFaults(faults, statements, database) {
  const lost = [];
  for (const { name, plant } of faults) {
    const why =
      "sql" in plant
        ? await unfitSchema(plant, database)
        : "statements" in plant && (await unfitStatements(plant, statements, database));
    if (why) lost.push(`the planted fault "${name}" ${why}`);
  }
  return lost;
}

/** @param {import("../../../proofs/planted-faults/fault.ts").Spoiled} plant */
async function unfitSchema({ sql }, database) {
  const tried = await database.tryOut([sql]);
  if ("error" in tried) return `does not fit the schema: ${tried.error}`;
  // The columns of a trigger's row are looked up only when it fires.
  const table = /\bON (\w+) FOR EACH ROW\b/.exec(sql)?.[1];
  const columns = [...database.columns.values()].filter((column) => column.table === table);
  const unknown = [...sql.matchAll(/\b(?:NEW|OLD)\.(\w+)/g)].find(
    ([, used]) => !columns.some((column) => column.name === used),
  );
  return unknown && `does not fit the schema: ${table} has no column for ${unknown[0]}`;
}

/**
 * A statement that PostgreSQL refuses, such as one with a parameter less, makes any test fail: that proves nothing.
 * @param {import("../../../proofs/planted-faults/fault.ts").Rewritten} plant
 */
async function unfitStatements({ statements: { source }, becomes }, statements, database) {
  // R15 hands on the pattern without its flags.
  const pattern = new RegExp(source);
  const texts = new Set(statements.map(({ text }) => text).filter((text) => pattern.test(text)));
  if (texts.size === 0) return "matches no statement of the product";
  for (const text of texts) {
    const described = await describeOn(database, text.replace(pattern, becomes), statements);
    if ("error" in described) return `makes a statement that PostgreSQL refuses: ${described.error}`;
  }
  return undefined;
}
