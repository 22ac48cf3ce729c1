/**
 * Checks every statement of the product: a PostgreSQL with the present schema describes it and never runs it. It must
 * parse, its columns must be those of the declared row (decision 0050), and its tables those of its folder (decision
 * 0060).
 */
import { dirname, join } from "node:path";
import { Boundaries, ownerProblems, readDeclared } from "./boundaries.mjs";
import { differences } from "./compare.mjs";
import { inEmptyDatabase } from "./database.mjs";
import { describeOn } from "./describe.mjs";
import { lostFaults } from "./lost-faults.mjs";
import { present } from "./present.mjs";
import { openProgram } from "./program.mjs";
import { readStatements } from "./statements.mjs";
import { crowdedFiles } from "./stores.mjs";
import { unusedUnread } from "./unread.mjs";

/** @typedef {Awaited<ReturnType<typeof readSource>>} Read */

/** @param {{ root: string, config: string, isRead?: (file: string) => boolean }} where */
export function readSource({ root, config, isRead }) {
  const source = openProgram(root, config, isRead);
  return { source, ...readStatements(source) };
}

/**
 * Returns the problems, a line each, with file and line of the source.
 * @param {Read} read
 * @param {import("./database.mjs").EmptyDatabase} database
 * @param {Boundaries} [boundaries]
 */
export async function problemsOf({ source, statements, problems }, database, boundaries) {
  const found = new Set(
    problems.map(({ node, why }) => `${source.placeOf(node)}: ${firstWords(node)} ${why}`),
  );
  const used = new Set();
  for (const statement of statements) {
    const described = await describeOn(database, statement.text, statements);
    if ("error" in described) {
      found.add(`${errorPlace(source, statement, described)}: ${described.error}`);
      continue;
    }
    for (const problem of boundaries?.problemsOf(statement, described.tables) ?? []) found.add(problem);
    const place = source.placeOf(statement.node);
    const mayBeNull = (column) => nullness(database, statement, column, place, used);
    for (const difference of differences(source, statement.row, described.columns, mayBeNull))
      found.add(`${place}: ${difference}`);
  }
  return { lines: [...found], used };
}

/** Returns exceptions that no statement needs. */
export const unusedExceptions = (used) =>
  present.flatMap(({ file, columns }) =>
    columns
      .filter((column) => !used.has(`${file} ${column}`))
      .map((column) => `scripts/steps/sql/present.mjs: ${file} no longer needs ${column}`),
  );

const firstWords = (node) => {
  const text = node.getText().replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

function errorPlace(source, { node, text, origins }, { position }) {
  if (position === undefined) return source.placeOf(node);
  const origin = origins.findLast(({ start }) => start <= position);
  if (!origin) return source.placeOf(node);
  const lines = text.slice(origin.start, position).split("\n").length - 1;
  return source.placeOf(origin.node, lines);
}

const outerJoin = /\b(LEFT|RIGHT|FULL)\s+(OUTER\s+)?JOIN\b/i;

/** Returns whether a column of a row may be null: known for plain columns of a table, unknown for computed ones. */
function nullness(database, { text }, { tableID, columnID }, place, used) {
  const column = database.columns.get(`${tableID} ${columnID}`);
  if (!column) return undefined;
  if (column.isPresent) return outerJoin.test(text) ? undefined : false;
  const isAsked = new RegExp(
    `\\b${column.name} IS NOT NULL\\b|\\b(WHERE|AND|ON)\\s+(\\w+\\.)?${column.name}\\s*(=|IN\\b)`,
  );
  if (isAsked.test(text)) return undefined;
  const full = `${column.table}.${column.name}`;
  const exception = present.find(
    ({ file, columns }) => place.includes(`/src/${file}:`) && columns.includes(full),
  );
  if (!exception) return true;
  used.add(`${exception.file} ${full}`);
  return undefined;
}

const namesNoColumn = /: column .* does not exist/;

/**
 * Runs the whole step: returns the problems and the number of statements read. `measures` are the benches and proofs,
 * which no test runs completely: the columns in their statements must exist. They create tables and functions of their
 * own, and may read any row. `faults` are those that R15 plants.
 * @param {Parameters<typeof readSource>[0]} where
 * @param {Parameters<typeof readSource>[0]} measures
 * @param {Parameters<typeof lostFaults>[0]} faults
 */
export async function checkStatements(where, measures, faults) {
  const read = readSource(where);
  const measuring = readSource(measures);
  try {
    const declared = await readDeclared(join(where.root, dirname(where.config), "src"));
    const boundaries = new Boundaries(declared, read.source);
    const { lines, used, owners, ofMeasures, lost } = await inEmptyDatabase(async (database) => ({
      ...(await problemsOf(read, database, boundaries)),
      owners: ownerProblems(declared, database.tables),
      ofMeasures: (await problemsOf({ ...measuring, problems: [] }, database)).lines.filter((line) =>
        namesNoColumn.test(line),
      ),
      lost: await lostFaults(faults, read.statements, database),
    }));
    const foreign = declared.flatMap(({ reads }) => Object.keys(reads)).length;
    const summary =
      `${read.asked} statements in ${read.statements.length} forms, ${read.pieces} pieces of SQL; ` +
      `${measuring.asked} of benches and proofs; ` +
      `${foreign} declared reads of tables of other folders`;
    const unused = [
      ...unusedExceptions(used),
      ...unusedUnread(read.used),
      ...boundaries.unused(),
      ...boundaries.cycles(),
    ];
    return {
      problems: [...lines, ...ofMeasures, ...owners, ...lost, ...crowdedFiles(read.places), ...unused],
      summary,
      asked: read.asked,
    };
  } finally {
    read.source.close();
    measuring.source.close();
  }
}
