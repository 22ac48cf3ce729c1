/** Descriptions of statements, also of those that need others before them. */

/** @typedef {Pick<import("./statements.mjs").Statement, "text">} Sent */

const severalCommands = /multiple commands/;
const createsTable = /^\s*CREATE TEMP TABLE (\w+)/;
const readsNoTable = /^\s*(SET|TRUNCATE|CREATE TEMP TABLE)\b/;
/** PostgreSQL parses COPY without its table, which COPY writes like any other statement. */
const copies = /^\s*COPY\s+([\w.]+)\b.*/s;

/**
 * Describes a statement, with its tables. Tables that a transaction creates for itself are created before it, in each of
 * their forms until one fits.
 * @param {import("./database.mjs").EmptyDatabase} database
 * @param {string} text
 * @param {readonly Sent[]} statements those of the product
 */
export async function describeOn(database, text, statements) {
  if (readsNoTable.test(text)) return database.tryOut([...makersOf(text, statements).slice(0, 1), text]);
  const asked = text.replace(copies, "DELETE FROM $1");
  const described = await database.describeAfter([], asked);
  if (!("error" in described)) return described;
  if (severalCommands.test(described.error)) return database.tryOut([text]);
  const makers = makersOf(text, statements);
  let last = described;
  for (const maker of makers) {
    last = await database.describeAfter([maker], asked);
    if (!("error" in last)) return last;
  }
  return last;
}

function makersOf(text, statements) {
  return statements
    .map((one) => ({ maker: one.text, table: createsTable.exec(one.text)?.[1] }))
    .filter(({ maker, table }) => table && maker !== text && !createsTable.test(text) && text.includes(table))
    .map(({ maker }) => maker);
}
