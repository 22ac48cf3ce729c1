/**
 * Functions whose statements are known only at run time: each runs statements of others, or iterates over tables of the
 * catalogue. The check fails when an entry is unused.
 */
import { SyntaxKind } from "typescript/unstable/ast";

const handsOn = "hands on what others ask, who are checked where they do";
const everyTable = "goes over the tables that the catalogue names; its tests make and restore whole backups";

/** @type {{ file: string, names: string[], why: string }[]} */
const unread = [
  { file: "platform/db/database.ts", names: ["attempt", "stream"], why: handsOn },
  { file: "platform/db/statements.ts", names: ["oneByOne"], why: handsOn },
  { file: "platform/db/batch.ts", names: ["send"], why: handsOn },
  { file: "platform/db/migrate.ts", names: ["migrate"], why: "runs the migrations, as this check does" },
  {
    file: "platform/jobs/jobs.ts",
    names: ["executeSql"],
    why: "hands on what the queue asks of its own tables",
  },
  { file: "session/bearer-store.ts", names: ["queryInTransaction", "queryPooled"], why: handsOn },
  { file: "backup/make-backup.ts", names: ["addTable"], why: everyTable },
  { file: "backup/copied-tables.ts", names: ["sumTable"], why: everyTable },
  {
    file: "backup/restore-backup.ts",
    names: ["restoreBackup", "openTables", "readTable", "restoreSequences"],
    why: everyTable,
  },
  { file: "adapters/sandbox/simulator/start-over.ts", names: ["eraseEverything"], why: everyTable },
];

/** @returns {string | undefined} the exception that covers a statement, as file and function */
export function exceptionAt(source, node) {
  const place = source.placeOf(node).replace(/:\d+$/, "");
  const within = namesAround(node);
  for (const { file, names } of unread) {
    const name = place.endsWith(`/src/${file}`) && names.find((one) => within.has(one));
    if (name) return `${file} ${name}`;
  }
  return undefined;
}

export const unusedUnread = (used) =>
  unread.flatMap(({ file, names }) =>
    names
      .filter((name) => !used.has(`${file} ${name}`))
      .map((name) => `scripts/steps/sql/unread.mjs: ${name} of ${file} is read`),
  );

/** Returns the names of the functions around a node. */
function namesAround(node) {
  const names = new Set();
  for (let at = node.parent; at.kind !== SyntaxKind.SourceFile; at = at.parent)
    if (at.name?.text) names.add(at.name.text);
  return names;
}
