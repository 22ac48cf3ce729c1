/** Builds the screens when their sources changed since the last build. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode, tool } from "./install.mjs";
import { Problem, root, run } from "./terminal.mjs";

const web = join(root, "apps/web");
/** The stamp is beside the build, which vite empties first, so an interrupted build has none. */
const stampFile = join(web, "dist/.sources");
const sources = ["apps/web", "packages/domain/src", "packages/contracts/src", "package-lock.json"];

export async function ensureBuilt() {
  const stamp = stampOfSources();
  if (read(stampFile) === stamp) return;
  console.log("Montando as telas…");
  const { code, output } = await build();
  if (code !== 0) throw new Problem(`As telas não puderam ser montadas:\n${output}`);
}

export async function build() {
  const stamp = stampOfSources();
  const result = await run(projectNode(), [tool("vite"), "build", "--logLevel", "warn"], {
    cwd: web,
    quiet: true,
  });
  if (result.code === 0) writeFileSync(stampFile, stamp);
  return result;
}

/** Names, sizes and times represent the contents, because reading every file would make a start too slow. */
function stampOfSources() {
  const hash = createHash("sha256");
  for (const source of sources) addTo(hash, join(root, source));
  return hash.digest("hex");
}

const notSources = new Set(["dist", "node_modules"]);

function addTo(hash, path) {
  const { mtimeMs, size } = statSync(path);
  if (!statSync(path).isDirectory()) {
    hash.update(`${path}\0${mtimeMs}\0${size}\0`);
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!notSources.has(name) && !name.includes(".test.")) addTo(hash, join(path, name));
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
