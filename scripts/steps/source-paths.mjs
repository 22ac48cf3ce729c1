/** The source files of the project, for the steps of `npm run check` that read all of them. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

const folders = ["apps", "packages", "proofs", "e2e", "bench", "scripts"];

/** @returns {string[]} the paths below the root */
export const sourcePaths = (root) =>
  folders.flatMap((folder) => sourceFiles(join(root, folder)).map((file) => relative(root, file)));

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}
