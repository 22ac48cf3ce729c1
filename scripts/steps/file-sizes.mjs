/**
 * Maximum and minimum length of a source file. In more than four hundred lines a reader does not find the part that a
 * change concerns. A file of a few lines costs a name, an import and a jump: a rule that several files use is worth
 * them, and code that a single file uses belongs in that file.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const linesMax = 400;
export const linesMin = 15;

/** Files that may be short, whatever imports them. */
const shortByPattern = [
  // The index, the declaration and the tables of a feature.
  /\/(index|parts|api|([a-z]+-)?feature|tables)\.ts$/,
  // A test is beside the file it tests.
  /\.test\.tsx?$/,
  // Entries of pages of the build, and of npm commands.
  /^apps\/web\/src\/entries\//,
  /^scripts\/[\w-]+\.mjs$/,
  // Widgets and hooks that know no feature are separate from the first screen that shows them.
  /^apps\/web\/src\/ui\//,
];

/** Short files with one importer or none, each with its reason. */
const shortByName = new Map([
  ["apps/api/src/company/tidy-logos.ts", "an action of the clock, and one file is one action"],
  ["apps/api/src/contestations/tidy.ts", "an action of the clock, and one file is one action"],
  ["apps/api/src/testing/after-each-file.ts", "vitest.config.ts names it"],
  ["apps/web/src/payments/form-section.tsx", "a part that payments/parts.ts gives to other features"],
  ["proofs/planted-faults/same-statements.ts", "a list that grows, apart from the proof that reads it"],
]);

/**
 * @param {string} root
 * @param {readonly string[]} paths source files below the root
 * @returns {string[]} one line per file that is too long or too short
 */
export function wrongSizes(root, paths) {
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const users = usersOf(sources);
  return [...sources].flatMap(([path, text]) => {
    const problem = sizeProblem(path, lineCount(text), users.get(path)?.size ?? 0);
    return problem ? [problem] : [];
  });
}

/** @returns {string | undefined} the problem of a file with this many lines and importers */
export function sizeProblem(path, lines, users) {
  if (lines > linesMax) return `${path} has ${lines} lines, more than ${linesMax}: split it by what it does`;
  const mayBeShort = shortByName.has(path) || shortByPattern.some((one) => one.test(path));
  if (lines >= linesMin)
    return shortByName.has(path) ? `${path} is no longer short: take it off the list` : undefined;
  if (users > 1 || mayBeShort) return undefined;
  return `${path} has ${lines} lines and ${users === 1 ? "one user" : "no user"}: its place is in the file that uses it`;
}

/**
 * Returns the importers of each file; its own test counts, because a file that is tested alone has a promise of its
 * own.
 */
function usersOf(sources) {
  const users = new Map();
  for (const [path, text] of sources)
    for (const [, specifier] of text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      const target = targetOf(path, specifier);
      if (target) users.set(target, (users.get(target) ?? new Set()).add(path));
    }
  return users;
}

function targetOf(path, specifier) {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  const [, name, file] = /^@malote\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  return name && `packages/${name}/src/${file}.ts`;
}

const lineCount = (text) => text.split("\n").length - 1;
