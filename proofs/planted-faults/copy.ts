/** A copy of the repository to plant faults in: the current files, and links to the npm packages. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const original = join(import.meta.dirname, "../..");
const copied = [
  "apps",
  "packages",
  "proofs",
  "e2e",
  "scripts",
  "package.json",
  "tsconfig.json",
  "tsconfig.base.json",
];
/** Folders that are built, downloaded or left behind by runs. */
const leftOut = new Set(["node_modules", "dist", "test-results", ".data"]);
/** Excluded by its path, because a feature is called `history` too. */
const runs = join(original, "proofs/history");

export interface Copy extends Disposable {
  root: string;
}

export function copyOfTheRepository(): Copy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "malote-faults-")));
  for (const name of copied) {
    cpSync(join(original, name), join(root, name), {
      recursive: true,
      filter: (path) => path !== runs && !leftOut.has(basename(path)),
    });
  }
  linkPackages(root);
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * Links each package, but our own to those of the copy: one link to the whole folder would lead back to the original.
 */
function linkPackages(root: string): void {
  const from = join(original, "node_modules");
  const to = join(root, "node_modules");
  mkdirSync(join(to, "@malote"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== "@malote" && !name.startsWith(".")) symlinkSync(join(from, name), join(to, name));
  }
  for (const [name, folder] of [
    ["api", "apps/api"],
    ["contracts", "packages/contracts"],
    ["domain", "packages/domain"],
    ["local-postgres", "packages/local-postgres"],
    ["sheet-reader", "packages/sheet-reader"],
  ] as const) {
    symlinkSync(join(root, folder), join(to, "@malote", name));
  }
}
