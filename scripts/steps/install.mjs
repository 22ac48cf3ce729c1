/** Installs what package-lock.json lists into node_modules, and finds the Node in it. */
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
  // Development packages build the screens, so they are installed even where NODE_ENV or npm's settings would omit
  // them.
  const { code } = await npm(["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"]);
  if (code !== 0) throw new Problem("A instalação falhou; a mensagem do npm acima diz por quê.");
}

/**
 * npm writes node_modules/.package-lock.json as its last step, so a comparison with our lockfile also detects an
 * interrupted installation and accepts a manual one. A package of ours is a link, whose folder may be newer than the
 * installation.
 */
export function isInstalled(folder = root) {
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  const wanted = packagesOf(join(folder, "package-lock.json"));
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    if (!path.includes("node_modules/")) return true;
    if (link) return existsSync(join(folder, path));
    const found = installed[path];
    // Packages for other systems are optional and are not installed.
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
 * npm replaces node_modules with the Node in it, which may be running this script; so npm runs on the Node that started
 * it.
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

/** Returns the Node that runs Malote: the one that npm installed, or this one if it is new enough. */
export function projectNode() {
  const installed = join(root, "node_modules/.bin/node");
  if (existsSync(installed)) return installed;
  if (Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded) return process.execPath;
  throw new Problem(
    `Em ${process.platform}-${process.arch} o Malote precisa do Node ${nodeMajorNeeded} ou mais novo; este é o ${process.version}.`,
  );
}

/** Returns the script of an installed command-line tool, which `projectNode` runs. */
export const tool = (name) => join(root, "node_modules/.bin", name);
