/** Folder for the disposable files of the tests: hundreds of databases, some gigabytes in all. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, hostname } from "node:os";
import { join } from "node:path";

const memoryFolder = "/dev/shm";
/** A run held at most two gigabytes in our measurements; the rest of the machine needs memory too. */
const freeBytesMin = 8 * 2 ** 30;
const availableBytesMin = 12 * 2 ** 30;

/** Containers may share the folder, and each numbers its processes separately. */
const ownPrefix = `malote-${hostname()}-`;

/**
 * Returns variables that name a folder in memory where the machine has plenty of it, because tests take twice as long
 * on a slow disk. The folder is removed when the script ends. Elsewhere it sets nothing, and the system's own folder is
 * used.
 * @returns {Record<string, string>}
 */
export function temporaryFolder() {
  if (process.env.TMPDIR) return {};
  removeLeftBehind();
  if (availableMemory() < availableBytesMin || freeBytes() < freeBytesMin) return {};
  const folder = mkdtempSync(join(memoryFolder, `${ownPrefix}${process.pid}-`));
  // Under root the database runs as another user.
  chmodSync(folder, 0o755);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  return { TMPDIR: folder };
}

/** Memory that a killed run did not free is lost until the machine restarts. */
function removeLeftBehind() {
  for (const name of namesIn(memoryFolder)) {
    const owner = name.startsWith(ownPrefix) && Number.parseInt(name.slice(ownPrefix.length), 10);
    if (!owner || isAlive(owner)) continue;
    try {
      rmSync(join(memoryFolder, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user, whose next run removes it.
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (/** @type {any} */ error) {
    return error.code !== "ESRCH";
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Node 20 before 20.13 reports only free memory, without what the system could reclaim at once. */
const availableMemory = () => process.availableMemory?.() ?? freemem();

function freeBytes() {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
