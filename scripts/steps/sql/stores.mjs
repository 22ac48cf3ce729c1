/**
 * Places of a feature's statements: `store.ts`, or a `…-store.ts` for each subject. A file that is little more than its
 * statement may hold it, so a few statements may be elsewhere.
 */

/** Maximum number of statements in a file of another name. */
const elsewhereMax = 2;

/** The same in the platform, whose files are each one mechanism: audit, idempotency, the relay of events. */
const elsewhereMaxOfPlatform = 3;

/** Folders that are no feature: they run the statements of others, or query every table. */
const outside = ["platform/db/", "platform/jobs/", "adapters/", "backup/"];

/**
 * @param {readonly string[]} places of each statement, as `apps/api/src/users/change.ts:34`
 * @returns {string[]} one line per file that asks too many to be no store
 */
export function crowdedFiles(places) {
  const files = Map.groupBy(places, (place) => place.replace(/:\d+$/, ""));
  return [...files].flatMap(([file, asked]) => {
    const path = file.replace(/^.*?\/src\//, "");
    const isStore = /(^|[/-])store\.ts$/.test(file) || outside.some((folder) => path.startsWith(folder));
    const max = path.startsWith("platform/") ? elsewhereMaxOfPlatform : elsewhereMax;
    if (isStore || asked.length <= max) return [];
    return [`${file} asks ${asked.length} statements: move them to a store.ts or a …-store.ts`];
  });
}
