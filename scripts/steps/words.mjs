/**
 * Words that names in the code and paths of files must not contain; docs/glossary.md lists their replacements. Comments
 * and pages have a separate list (words-in-prose.mjs); texts of the product are not read.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourcePaths } from "./source-paths.mjs";
import { refusedInProse } from "./words-in-prose.mjs";

const refused = new Set([
  ...["told", "tell", "tells", "telling", "hear", "hears", "heard", "ear", "ears", "aside", "teeth"],
  ...["letter", "letters", "door", "doors", "lone", "stand", "stands", "standing", "stood"],
  ...["meant", "brought", "world", "mend", "mends", "mended"],
  ...["news", "asides", "unheard", "unasked", "untake"],
]);

/** Names that contain such a word, each with its reason. */
const kept = new Map([
  ["aside", "an element of HTML"],
  ["IconNews", "an icon of the package"],
  ["pix_key_claim_news", "an action that audit trails keep"],
  ["password_letters_too_many", "a code of the wire"],
]);

/** Files that read text character by character, where a letter is one of the alphabet. */
const alphabetFiles = [
  /^packages\/(domain|sheet-reader)\//,
  /^apps\/api\/src\/payouts\/import\/sheet\//,
  /^apps\/api\/src\/(receipts\/printable|platform\/db\/search-text\.test)\.ts$/,
];

/** @returns {Promise<string[]>} one line per refused word, with its file */
export async function refusedWords(root) {
  const { parseSync } = await import("@swc/core");
  const paths = sourcePaths(root);
  const inNames = paths.flatMap((path) => {
    const tsx = path.endsWith("x");
    const parsed = parseSync(readFileSync(join(root, path), "utf8"), {
      syntax: "typescript",
      tsx,
      target: "esnext",
    });
    return refusedIn(path, namesIn(parsed));
  });
  return [...new Set([...inNames, ...(await refusedInProse(root, paths))])];
}

/** @returns {string[]} the problems of the path and of the names in it */
export function refusedIn(path, names) {
  const isRefused = (word) =>
    refused.has(word) && !(isOfAlphabet(word) && alphabetFiles.some((one) => one.test(path)));
  const lines = [path, ...names].flatMap((name) => {
    // A dead letter is the established term for an event that is stored separately after failures.
    const words = wordsOf(name)
      .join(" ")
      .replace(/\bdead letters?\b/g, "")
      .split(" ");
    const word = kept.has(name) ? undefined : (words.find(isRefused) ?? wordOfWire(name));
    if (!word) return [];
    return [name === path ? `${path}: its path says ${word}` : `${path}: ${name} says ${word}`];
  });
  return [...new Set(lines)];
}

/** The wire says `billet`, in snake case and in the parameter `billetId`; a name of ours says boleto. */
const wordOfWire = (name) => (/Billet/.test(name) ? "billet" : undefined);

const isOfAlphabet = (word) => word === "letter" || word === "letters";

const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Returns every identifier of a parsed file, also of properties and types. */
function namesIn(node, names = new Set()) {
  if (Array.isArray(node)) for (const one of node) namesIn(one, names);
  else if (node && typeof node === "object") {
    if ((node.type === "Identifier" || node.type === "PrivateName") && typeof node.value === "string")
      names.add(node.value);
    for (const one of Object.values(node)) if (one && typeof one === "object") namesIn(one, names);
  }
  return names;
}
