/**
 * Where a feature's statements are: in `store.ts` or a `…-store.ts` for each subject. A file that is little more than its
 * statement holds it itself, so a few may be elsewhere, and more may not.
 */

/** Statements that a file of another name may ask. */
const elsewhereMax = 2;

/** Folders that are no feature: what they are made of is statements, or asks of every table. */
const outside = ["platform", "adapters", "backup"];

/**
 * @param {readonly string[]} places of each statement, as `apps/api/src/users/change.ts:34`
 * @returns {string[]} one line per file that asks too many to be no store
 */
export function crowdedFiles(places) {
  const files = Map.groupBy(places, (place) => place.replace(/:\d+$/, ""));
  return [...files].flatMap(([file, asked]) => {
    const [folder = ""] = file.replace(/^.*?\/src\//, "").split("/");
    const isStore = /(^|[/-])store\.ts$/.test(file) || outside.includes(folder);
    if (isStore || asked.length <= elsewhereMax) return [];
    return [`${file} asks ${asked.length} statements: move them to a store.ts or a …-store.ts`];
  });
}
