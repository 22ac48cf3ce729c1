/**
 * Who may import whom: domain ← contracts ← api, web, and features only through each other's front door.
 * The rules are stated once for all folders by pattern, so a new feature is covered on its first day.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/** Folders of the apps that serve every feature. */
const shared = new Set(["platform", "shell", "ui", "styles"]);
/** Folders that put features together: pages of the build, the demo companies, the world outside, tests. */
const composing = new Set(["entries", "demo", "simulator", "testing"]);
/** Files a feature or a port shows to the others. */
const frontDoors = /^(index|port|api|parts)\.tsx?$/;

/** What each package of ours may import of the others. */
const mayImport = {
  "packages/domain": [],
  "packages/contracts": ["packages/domain"],
  "apps/api": ["packages/domain", "packages/contracts"],
  "apps/web": ["packages/domain", "packages/contracts"],
};

/** @returns {string[]} one line per broken rule */
export function brokenImportRules(root) {
  const broken = [];
  for (const owner of Object.keys(mayImport)) {
    for (const file of sourceFiles(join(root, owner, "src"))) {
      const path = relative(root, file);
      const text = readFileSync(file, "utf8");
      if (replacesModule(text)) broken.push(`${path}: replaces a module, also for the tests of other files`);
      for (const target of importsOf(text)) {
        const problem = problemOf(path, owner, target);
        if (problem) broken.push(`${path}: ${target}: ${problem}`);
      }
    }
  }
  return broken;
}

/** @returns {string | undefined} why the file may not import the target */
export function problemOf(path, owner, target) {
  const pure = owner.startsWith("packages/");
  const isTest = path.includes(".test.");
  if (pure && !isTest && target.startsWith("node:")) return "rules and contracts also run in the browser";

  const package_ = packageOf(target, path);
  if (!package_) return undefined;
  if (package_ !== owner) {
    return mayImport[owner].includes(package_) ? undefined : `${owner} may not import ${package_}`;
  }
  if (pure || isTest || !target.startsWith(".")) return undefined;

  const from = featureOf(path);
  const targetPath = normalize(join(dirname(path), target));
  const to = featureOf(targetPath);
  if (!from || !to || from === to) return undefined;
  if (composing.has(from)) return undefined;

  const [, , , , fileName = "", ...deeper] = targetPath.split("/");
  const isFrontDoor = frontDoors.test(fileName) && deeper.length === 0;
  // The platform names the ports that the boot order fills, and knows nothing else of what stands on it.
  if (from === "platform")
    return isFrontDoor && fileName === "port.ts" ? undefined : `platform knows no feature, but this is ${to}`;
  if (from === "ui") return shared.has(to) ? undefined : `ui knows no feature, but this is ${to}`;
  if (shared.has(from) || shared.has(to) || isFrontDoor) return undefined;
  return `${to} shows other features only its index, port, api or parts file`;
}

/** Test files share what is loaded, so a module that one replaces stays replaced for those after it, in any order. */
export const replacesModule = (text) => /\bvi\s*\.\s*(?:do)?mock\(/i.test(text);

/** The package of ours a specifier leads to; undefined for everybody else's. */
function packageOf(target, path) {
  const named = /^@malote\/(domain|contracts|api|web)\b/.exec(target)?.[1];
  if (named) return Object.keys(mayImport).find((name) => name.endsWith(`/${named}`));
  if (!target.startsWith(".")) return undefined;
  return normalize(join(dirname(path), target))
    .split("/")
    .slice(0, 2)
    .join("/");
}

/** The folder directly below src; files beside it, such as main.ts, compose everything and are nobody's feature. */
function featureOf(path) {
  const parts = path.split("/");
  return parts.length > 4 ? parts[3] : undefined;
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

const importPattern = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g;
const importsOf = (text) => [...text.matchAll(importPattern)].map((match) => match[1]);
