/**
 * Each table belongs to one folder, and only that folder's statements write it; other folders read it where their own
 * `tables.ts` gives the reason (decision 0060). SQL that the owner exports counts as the owner's, whichever statement
 * includes it. A declared read may not close a cycle: its owner reaches the reader neither by imports nor by reads.
 */
import { readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { isExportDeclaration, isImportDeclaration } from "typescript/unstable/ast/is";

/**
 * @typedef {{ folder: string, owns: readonly string[], reads: Readonly<Record<string, string>> }} Declared
 * @typedef {{ name: string, writes: boolean }} Table
 */

/** Folders that work on every feature's data. The check fails when an entry is unused. */
const everyTable = [
  { folder: "adapters/sandbox/demo", why: "fills an installation before the first call" },
  { folder: "adapters/sandbox/simulator", why: "shows all companies at once, and starts over" },
  { folder: "backup", why: "copies and restores all tables" },
];

/**
 * Reads that close a cycle, each with the reason. The check fails when an entry closes none. Without `tables` all reads
 * of the folder are meant.
 * @type {readonly { folder: string, tables?: readonly string[], why: string }[]}
 */
const closingReads = [
  { folder: "ledger", why: "the books check compares the postings with the rows of those who post" },
  {
    folder: "controls",
    why: "those who send money import the controls, which sum what all of them sent, in one statement",
  },
  {
    folder: "payouts",
    tables: ["receivers"],
    why: "receivers are saved from payments, and payments are compared with saved receivers, each in one statement",
  },
  {
    folder: "platform",
    tables: ["companies"],
    why: "e-mails carry the name and the brand of their company, and each feature is built on the platform",
  },
];

/**
 * Returns the declarations of each folder's `tables.ts`.
 * @returns {Promise<Declared[]>}
 */
export async function readDeclared(sourceFolder) {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/tables.ts"))
    .sort();
  return Promise.all(
    files.map(async (file) => {
      const { owns = [], reads = {} } = await import(pathToFileURL(join(sourceFolder, file)).href);
      return { folder: file.replace(/\/tables\.ts$/, ""), owns, reads };
    }),
  );
}

/**
 * Returns tables without an owner or with several, and names that are no table.
 * @param {readonly Declared[]} declared
 * @param {{ all: readonly string[], ours: readonly string[] }} tables tables that may be owned, and those that must be
 */
export function ownerProblems(declared, { all, ours }) {
  const owners = new Map();
  const problems = [];
  for (const { folder, owns } of declared)
    for (const table of owns) {
      const other = owners.get(table);
      if (other) problems.push(`${table} has two owners: ${other}/tables.ts and ${folder}/tables.ts`);
      owners.set(table, folder);
      if (!all.includes(table)) problems.push(`${folder}/tables.ts: there is no table ${table}`);
    }
  for (const table of ours)
    if (!owners.has(table))
      problems.push(`${table} has no owner: the tables.ts of one folder has to name it`);
  return problems;
}

/** Compares the tables of every statement with the declarations of the folders. */
export class Boundaries {
  #used = new Set();

  /**
   * @param {readonly Declared[]} declared
   * @param {import("./program.mjs").Source} source
   */
  constructor(declared, source, free = everyTable, closing = closingReads) {
    this.declared = declared;
    this.source = source;
    this.free = free;
    this.closing = closing;
    this.owners = new Map(declared.flatMap(({ folder, owns }) => owns.map((table) => [table, folder])));
  }

  /**
   * Returns the violations of a statement, a line each.
   * @param {import("./statements.mjs").Statement} statement
   * @param {readonly Table[]} tables
   */
  problemsOf(statement, tables) {
    const problems = new Set();
    for (const { name, writes } of tables) {
      const owner = this.owners.get(name);
      for (const { place, folder } of this.#placesOf(statement, name)) {
        if (folder === owner) continue;
        const problem = this.#problem(folder, name, writes);
        if (problem)
          problems.add(
            `${place}: ${folder} ${problem}, which ${owner ?? "no folder"} owns: ${remedy(writes)}`,
          );
      }
    }
    return [...problems];
  }

  #problem(folder, table, writes) {
    if (this.free.some((one) => one.folder === folder)) {
      this.#used.add(folder);
      return undefined;
    }
    if (writes) return `writes ${table}`;
    this.#used.add(`${folder} ${table}`);
    return this.declared.find((one) => one.folder === folder)?.reads[table] ? undefined : `reads ${table}`;
  }

  /** Returns the place where the statement names a table, or the call of the statement when its text does not. */
  #placesOf({ node, text, origins }, table) {
    const named = new RegExp(`(?<![\\w.'])${table.replace(".", "\\.")}(?![\\w.(])`, "g");
    const found = [...text.matchAll(named)].map(({ index }) => {
      const origin = origins.findLast(({ start }) => start <= index);
      if (!origin) return { node, lines: 0 };
      return { node: origin.node, lines: text.slice(origin.start, index).split("\n").length - 1 };
    });
    return (found.length > 0 ? found : [{ node, lines: 0 }]).map((one) => ({
      place: this.source.placeOf(one.node, one.lines),
      folder: this.#folderOf(this.source.placeOf(one.node)),
    }));
  }

  /**
   * Returns the folder of a file: the nearest with a declaration or a rule of its own, otherwise the one below `src`.
   */
  #folderOf(place) {
    const path = place.slice(place.indexOf("/src/") + "/src/".length);
    const folders = [...this.declared, ...this.free].map(({ folder }) => folder);
    const around = folders.filter((folder) => path.startsWith(`${folder}/`));
    return around.sort((a, b) => b.length - a.length)[0] ?? path.split("/")[0];
  }

  /** Returns the declared reads that close a cycle of folders, and the exceptions that close none. */
  cycles() {
    const reads = this.declared.flatMap(({ folder, reads }) =>
      Object.keys(reads).map((table) => {
        const owner = this.owners.get(table) ?? "";
        const exception = this.closing.find(
          (one) => one.folder === folder && (one.tables?.includes(table) ?? true),
        );
        return { folder, table, owner, exception };
      }),
    );
    const reached = this.#imports();
    for (const { folder, owner, exception } of reads) if (!exception) edgesOf(reached, folder).add(owner);
    const closing = reads.filter(({ folder, owner }) => reachable(reached, owner).has(folder));
    const needed = new Set(closing.map(({ exception }) => exception));
    return [
      ...closing
        .filter(({ exception }) => !exception)
        .map(
          ({ folder, table, owner }) =>
            `${folder}/tables.ts: reads ${table} of ${owner}, which reaches ${folder}: the feature of ${folder} takes ` +
            "a function of the owner as a parameter, or the table changes its owner",
        ),
      ...this.closing
        .filter((one) => !needed.has(one))
        .map(({ folder }) => `scripts/steps/sql/boundaries.mjs: the reads of ${folder} close no cycle`),
    ];
  }

  /** Returns the folders that each folder imports from, also types. */
  #imports() {
    const reached = new Map();
    for (const file of this.source.files)
      for (const statement of file.statements) {
        if (!isImportDeclaration(statement) && !isExportDeclaration(statement)) continue;
        const target = statement.moduleSpecifier?.getText().slice(1, -1);
        if (!target?.startsWith(".")) continue;
        const from = this.#folderOf(file.fileName);
        const to = this.#folderOf(normalize(join(dirname(file.fileName), target)));
        if (from !== to) edgesOf(reached, from).add(to);
      }
    return reached;
  }

  /** Returns declarations that no statement needs. */
  unused() {
    const reads = this.declared.flatMap(({ folder, reads }) =>
      Object.keys(reads)
        .filter((table) => !this.#used.has(`${folder} ${table}`))
        .map((table) => `${folder}/tables.ts: no statement reads ${table} any more`),
    );
    const free = this.free
      .filter(({ folder }) => !this.#used.has(folder))
      .map(({ folder }) => `scripts/steps/sql/boundaries.mjs: ${folder} reads no table of others`);
    return [...reads, ...free];
  }
}

/** Returns the targets of a folder in a graph of folders, which it may grow. */
function edgesOf(graph, folder) {
  const known = graph.get(folder) ?? new Set();
  graph.set(folder, known);
  return known;
}

/** Returns the folders that a folder reaches in a graph, over any number of edges. */
function reachable(graph, folder) {
  const seen = new Set();
  const open = [folder];
  for (let next = open.pop(); next; next = open.pop())
    for (const to of graph.get(next) ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
  return seen;
}

const remedy = (writes) =>
  writes
    ? "call a function of its index.ts"
    : "call a function of its index.ts, or name the table with a reason in tables.ts";
