/**
 * How long a source file may be, and how short. Past four hundred lines a reader no longer finds the part that a change
 * is about. A file of a few lines costs a name, an import and a jump: one rule that several files use is worth them, and
 * what a single file uses belongs in that file.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const linesMax = 400;
export const linesMin = 15;

/** Files that may be short, whatever imports them. */
const shortByPattern = [
  // What a feature lets others reach, how it registers itself, and which tables it owns.
  /\/(index|parts|api|([a-z]+-)?feature|tables)\.ts$/,
  // A test is beside the file it tests.
  /\.test\.tsx?$/,
  // Where a page of the build begins, and where a command of npm does.
  /^apps\/web\/src\/entries\//,
  /^scripts\/[\w-]+\.mjs$/,
  // Widgets and hooks that know no feature are kept apart from the first screen that shows them.
  /^apps\/web\/src\/ui\//,
];

/** Short files that one file uses, or none by an import, each with its reason. */
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

/** @returns {string | undefined} what is wrong with a file of so many lines that so many others import */
export function sizeProblem(path, lines, users) {
  if (lines > linesMax) return `${path} has ${lines} lines, more than ${linesMax}: split it by what it does`;
  const mayBeShort = shortByName.has(path) || shortByPattern.some((one) => one.test(path));
  if (lines >= linesMin)
    return shortByName.has(path) ? `${path} is no longer short: take it off the list` : undefined;
  if (users > 1 || mayBeShort) return undefined;
  return `${path} has ${lines} lines and ${users === 1 ? "one user" : "no user"}: its place is in the file that uses it`;
}

/** Which files import each file; a test of its own is one, because what is tested alone has a promise of its own. */
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
