/** Brings node_modules to what package-lock.json says, and finds the Node that comes with it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem, root, run } from "./terminal.mjs";

const nodeMajorNeeded = 24;
const nodeMajorToInstall = 20;

export async function ensureInstalled() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < nodeMajorToInstall) {
    throw new Problem(
      `O Malote precisa do Node ${nodeMajorToInstall} ou mais novo; este é o ${process.version}.`,
    );
  }
  if (isInstalled()) return;

  console.log("Instalando as dependências (só na primeira vez ou quando elas mudam)…");
  // Development parts build the screens, so they come even where NODE_ENV or npm's settings would leave them out.
  const { code } = await npm(["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Problem("A instalação falhou; a mensagem do npm acima diz por quê.");
}

/**
 * npm writes what it installed into node_modules/.package-lock.json as its last step, so comparing it with our
 * lockfile also finds an installation that was cut off, and respects one made manually. A package of ours is a link, whose
 * folder may be newer than the installation.
 */
export function isInstalled(folder = root) {
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  const wanted = packagesOf(join(folder, "package-lock.json"));
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    if (!path.includes("node_modules/")) return true;
    if (link) return existsSync(join(folder, path));
    const found = installed[path];
    // Parts for other systems are optional and stay out.
    return found ? found.version === version : optional === true;
  });
}

/** @returns {Record<string, { version?: string, link?: boolean, optional?: boolean }> | undefined} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * npm replaces node_modules, and with it the Node in there, which may be the one running this script; so npm runs on
 * the Node it was called with.
 */
async function npm(args) {
  const { npm_execpath: npmScript, npm_node_execpath: npmNode } = process.env;
  if (npmScript?.endsWith(".js")) return await run(npmNode ?? process.execPath, [npmScript, ...args]);
  try {
    return await run("npm", args);
  } catch {
    throw new Problem("O npm não foi encontrado; ele vem com o Node em nodejs.org.");
  }
}

/** The Node that runs Malote: the one npm installed, else this one where it is new enough. */
export function projectNode() {
  const installed = join(root, "node_modules/.bin/node");
  if (existsSync(installed)) return installed;
  if (Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded) return process.execPath;
  throw new Problem(
    `Em ${process.platform}-${process.arch} o Malote precisa do Node ${nodeMajorNeeded} ou mais novo; este é o ${process.version}.`,
  );
}

/** The script of an installed command-line tool, to be run by `projectNode`. */
export const tool = (name) => join(root, "node_modules/.bin", name);
