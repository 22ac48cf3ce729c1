/**
 * Allowed imports: domain ← contracts ← api, web, general tools ← api, and features only through each other's index.
 * The rules apply to all folders by pattern, so they cover a new feature on its first day.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

/** Folders of the apps that serve every feature. */
const shared = new Set(["platform", "ports", "shell", "ui", "styles"]);
/** Folders that compose features: pages of the build, adapters and their simulations, tests. */
const composing = new Set(["entries", "adapters", "testing"]);
/** Files of a feature that other features may import. */
const publicFiles = /^(index|api|parts)\.tsx?$/;
/** Files that declare a feature, which the registry alone reads. */
const featureFile = /(^|\/)(?:[a-z]+-)?feature\.ts$/;
const registry = "apps/api/src/registry.ts";

/** Modules of contracts and domain that every feature shares, so the platform may import them. */
const shownToPlatform = new Set([
  ...["contract", "errors", "events", "policy", "session"].map((name) => `@malote/contracts/${name}`),
  ...["audit-trail", "banks", "brands", "durations", "own-institution", "transitions"].map(
    (name) => `@malote/domain/${name}`,
  ),
]);
/** Reads the settings of every feature from the environment, because a start lists all problems at once. */
const settingsOfAll = "apps/api/src/platform/config.ts";
/** Words of features that the platform must not use. Columns of the platform's own tables keep theirs. */
const wordsOfFeatures =
  /payment|payin|payout|receipt(?!_of\b)|receivable|ledger|contestation|boleto|billet|pix|invoice|approval/i;

/** The other packages that each package of ours may import. */
const mayImport = {
  "packages/domain": [],
  "packages/contracts": ["packages/domain"],
  "packages/sheet-reader": [],
  "packages/local-postgres": [],
  "apps/api": [
    ...["packages/domain", "packages/contracts"],
    ...["packages/sheet-reader", "packages/local-postgres"],
  ],
  "apps/web": ["packages/domain", "packages/contracts"],
};

/**
 * Modules whose parts (folders or files) import only parts listed before them. A part that is not listed is refused, so
 * a new one gets its place on its first day.
 */
export const layers = {
  "apps/api/src/payouts": [
    ...["payment-columns.ts", "column-lists.ts", "payment-marks.ts", "locks.ts", "draft-payment-store.ts"],
    ...["rules", "lists", "lookups", "checks"],
    ...[
      "transfers",
      "boletos",
      "under-way",
      "payment-kinds.ts",
      "batches",
      "corrections",
      "failures",
      "one-payment",
      "import",
    ],
    ...["index.ts", "removal-feature.ts", "funding-feature.ts"],
  ],
};

const alsoInBrowsers = new Set(["packages/domain", "packages/contracts"]);

/**
 * Reads every import, also of types, with dependency-cruiser.
 * @returns {Promise<string[]>} one line per broken rule
 */
export async function brokenImportRules(root) {
  const owners = Object.keys(mayImport);
  const files = owners.flatMap((owner) => sourceFiles(join(root, owner, "src")));
  const imports = await readImports(root, owners);
  // Without a parser for this TypeScript version the tool reads nothing and reports nothing.
  const unread = files.filter((file) => !imports.has(relative(root, file)));
  const broken = unread.map((file) => `${relative(root, file)}: was not read`);
  for (const file of files) {
    const path = relative(root, file);
    const owner = owners.find((one) => path.startsWith(`${one}/`)) ?? "";
    const text = readFileSync(file, "utf8");
    if (path.includes(".test.") && replacesModule(text))
      broken.push(`${path}: replaces a module, also for the tests of other files`);
    const named = namedByPlatform(path, text);
    if (named) broken.push(`${path}: the platform names no feature, but this says ${named}`);
    for (const found of imports.get(path) ?? []) {
      if (loadsSandbox(path, found)) broken.push(`${path}: loads the sandbox in production too`);
      const problem = problemOf(path, owner, found.specifier) ?? layerProblem(path, found.path);
      if (problem) broken.push(`${path}: ${found.specifier}: ${problem}`);
    }
  }
  broken.push(...wrongFeatures(root, files));
  for (const circle of moduleCycles(imports)) broken.push(`modules in a cycle: ${circle.join(", ")}`);
  for (const circle of fileCycles(imports)) broken.push(`files in a cycle: ${circle.join(", ")}`);
  return broken;
}

/**
 * @returns {Promise<Map<string, {specifier: string, path: string, dynamic: boolean}[]>>} the imports of each file, by
 * its path
 */
async function readImports(root, folders) {
  const { cruise } = await import("dependency-cruiser");
  const { output } = await cruise(
    folders.map((folder) => `${folder}/src`),
    {
      baseDir: root,
      parser: "swc",
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      enhancedResolveOptions: {
        exportsFields: ["exports"],
        conditionNames: ["import", "types", "node"],
      },
    },
  );
  if (typeof output === "string") throw new Error("dependency-cruiser answered a text");
  return new Map(
    output.modules.map(({ source, dependencies }) => [
      source,
      dependencies.map(({ module, resolved, dynamic }) => ({ specifier: module, path: resolved, dynamic })),
    ]),
  );
}

/**
 * Returns groups of server modules that reach each other, also by types: each group is one cycle. Leaves out tests and
 * composing files.
 * @returns {string[][]}
 */
export const moduleCycles = (imports) => cycles(imports, serverModule);

/**
 * Like `moduleCycles` for files of the server: two files that need each other belong in one, or both need a third.
 * @returns {string[][]}
 */
export const fileCycles = (imports) =>
  cycles(imports, (path) =>
    path.startsWith("apps/api/src/") && !path.includes(".test.") ? path : undefined,
  );

/** Returns groups of nodes that reach each other; `nodeOf` returns the node of a file, if it has one. */
function cycles(imports, nodeOf) {
  const reached = new Map();
  for (const [path, found] of imports) {
    const from = nodeOf(path);
    if (!from) continue;
    const to = reached.get(from) ?? new Set();
    reached.set(from, to);
    for (const { path: target } of found) {
      const node = nodeOf(target);
      if (node && node !== from) to.add(node);
    }
  }
  const reachable = (from) => {
    const seen = new Set();
    const open = [from];
    for (let next = open.pop(); next; next = open.pop())
      for (const to of reached.get(next) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    return seen;
  };
  const all = new Map([...reached.keys()].map((node) => [node, reachable(node)]));
  const circles = new Map();
  for (const [node, reaches] of all) {
    if (!reaches.has(node)) continue;
    const circle = [...reaches].filter((other) => all.get(other)?.has(node)).sort();
    circles.set(circle.join(" "), circle);
  }
  return [...circles.values()];
}

/** @returns {string | undefined} why the file may not import this part of its own module */
export function layerProblem(path, target) {
  const module = Object.keys(layers).find((one) => path.startsWith(`${one}/`));
  if (!module || path.includes(".test.") || !target.startsWith(`${module}/`)) return undefined;
  const partOf = (file) => file.slice(module.length + 1).split("/")[0];
  const [from, to] = [partOf(path), partOf(target)];
  if (from === to) return undefined;
  const order = layers[module];
  const unnamed = [from, to].find((part) => !order.includes(part));
  if (unnamed) return `${unnamed} has no place in the order of ${module}`;
  return order.indexOf(to) < order.indexOf(from) ? undefined : `${from} is below ${to}`;
}

function serverModule(path) {
  if (!path.startsWith("apps/api/src/") || path.includes(".test.")) return undefined;
  const feature = featureOf(path);
  return feature && !composing.has(feature) ? feature : undefined;
}

/** @returns {string | undefined} why the file may not import the target */
export function problemOf(path, owner, target) {
  const isTest = path.includes(".test.");
  if (alsoInBrowsers.has(owner) && !isTest && target.startsWith("node:"))
    return "rules and contracts also run in the browser";

  const isPlatform = path.startsWith("apps/api/src/platform/") && !isTest && path !== settingsOfAll;
  if (isPlatform && /^@malote\/(contracts|domain)\//.test(target) && !shownToPlatform.has(target))
    return "the platform reads only what every feature shares";

  const package_ = packageOf(target, path);
  if (!package_) return undefined;
  if (package_ !== owner) {
    return mayImport[owner].includes(package_) ? undefined : `${owner} may not import ${package_}`;
  }
  if (owner.startsWith("packages/") || isTest || !target.startsWith(".")) return undefined;

  const from = featureOf(path);
  const targetPath = normalize(join(dirname(path), target));
  const to = featureOf(targetPath);
  if (featureFile.test(targetPath) && to !== "platform" && path !== registry && owner === "apps/api")
    return "only registry.ts reads the files that declare features";
  if (!from && to) return composes(owner, to, targetPath);
  if (from && !to && (from === "platform" || from === "ports"))
    return `${from} knows nothing of what composes the product`;
  if (!from || !to || from === to) return undefined;
  if (composing.has(from)) return undefined;

  const [, , , , fileName = "", ...deeper] = targetPath.split("/");
  const isPublicFile = publicFiles.test(fileName) && deeper.length === 0;
  // Ports define the requests to external services; the platform passes them on and knows nothing else that is built on
  // it.
  if (from === "platform" || from === "ports")
    return to === "ports" ? undefined : `${from} knows no feature, but this is ${to}`;
  if (to === "adapters") return "only create-adapters.ts chooses who plays the outside";
  if (from === "ui") return shared.has(to) ? undefined : `ui knows no feature, but this is ${to}`;
  if (shared.has(from) || shared.has(to) || isPublicFile) return undefined;
  return `${to} shows other features only its index, api or parts file`;
}

/** @returns {string | undefined} why a file beside the folders of the server may not import this file of a folder */
function composes(owner, to, targetPath) {
  if (owner !== "apps/api" || shared.has(to) || composing.has(to)) return undefined;
  const [, , , , fileName = "", ...deeper] = targetPath.split("/");
  const isShown = featureFile.test(targetPath) || (publicFiles.test(fileName) && deeper.length === 0);
  return isShown ? undefined : `${to} shows what composes the product only its index`;
}

/** @returns {string | undefined} the word of a feature that a file of the platform contains */
export function namedByPlatform(path, text) {
  if (!path.startsWith("apps/api/src/platform/") || path.includes(".test.") || path === settingsOfAll)
    return undefined;
  return wordsOfFeatures.exec(text)?.[0];
}

/**
 * Each file that declares a feature exports it as `<folder>Feature` or, where the folder has several, by the file's
 * name, and the registry lists it. The registry itself declares none.
 */
export function wrongFeatures(root, files) {
  const paths = files.map((file) => relative(root, file)).filter((path) => path.startsWith("apps/api/src/"));
  if (!paths.includes(registry)) return [];
  const listed = readFileSync(join(root, registry), "utf8").replaceAll(/^import [^;]*;$/gm, "");
  const wrong = [];
  for (const path of paths) {
    const name = featureName(path);
    if (!name) continue;
    const text = readFileSync(join(root, path), "utf8");
    if (!text.includes(`export const ${name}`))
      wrong.push(`${path}: a feature of this file is named ${name}`);
    if (!new RegExp(`\\b${name}\\b`).test(listed)) wrong.push(`${registry}: does not list ${name}`);
  }
  const own = /\b(routes|jobs|subscribers|schedules|tidy|measure|work)(:|\()(?!Of)/.exec(listed)?.[0];
  if (own) wrong.push(`${registry}: declares a feature itself: ${own}`);
  return wrong;
}

/** `apps/api/src/payouts/one-payment/feature.ts` is `onePaymentFeature`, `…/payouts/funding-feature.ts` `fundingFeature`. */
export function featureName(path) {
  if (!featureFile.test(path) || path === "apps/api/src/platform/feature.ts") return undefined;
  const [folder, file] = path.split("/").slice(-2);
  const words = file === "feature.ts" ? `${folder}-feature` : file.replace(/\.ts$/, "");
  return words.replace(/-(\w)/g, (_, first) => first.toUpperCase());
}

/** Test files share loaded modules, so a module that one test replaces stays replaced for later ones, in any order. */
export const replacesModule = (text) => /\bvi\s*\.\s*(?:do)?mock\(/i.test(text);

/**
 * Only simulations and tests may name the sandbox's files; the product loads them by the one dynamic import in
 * create-adapters.ts.
 */
export function loadsSandbox(path, { path: target, dynamic }) {
  const sandbox = "apps/api/src/adapters/sandbox/";
  if (!path.startsWith("apps/api/src/") || path.startsWith(sandbox)) return false;
  if (path.startsWith("apps/api/src/testing/") || path.includes(".test.")) return false;
  const isTheOneImport = dynamic && path === "apps/api/src/adapters/create-adapters.ts";
  return target.startsWith(sandbox) && !isTheOneImport;
}

/** Returns the package of ours that a specifier names; undefined for any other package. */
function packageOf(target, path) {
  const named = /^@malote\/([^/]+)/.exec(target)?.[1];
  if (named) return Object.keys(mayImport).find((name) => name.endsWith(`/${named}`));
  if (!target.startsWith(".")) return undefined;
  return normalize(join(dirname(path), target))
    .split("/")
    .slice(0, 2)
    .join("/");
}

/**
 * Returns the folder directly below src; files beside it, such as main.ts, compose everything and belong to no feature.
 */
function featureOf(path) {
  const parts = path.split("/");
  return parts.length > 4 ? parts[3] : undefined;
}

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}
