/** Where the tests keep what they throw away: hundreds of databases, some gigabytes in all. */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableMemory } from "node:process";

const memoryFolder = "/dev/shm";
/** A run was seen to hold five gigabytes at most; the rest of the machine needs memory too. */
const freeBytesMin = 8 * 2 ** 30;
const availableBytesMin = 12 * 2 ** 30;

/**
 * A folder in memory where the machine has plenty of it, as a variable for the programs to run: on a slow disk the tests
 * take twice as long. Gone when the script ends. Elsewhere nothing is set, and the system's own folder serves.
 * @returns {Record<string, string>}
 */
export function temporaryFolder() {
  if (process.env.TMPDIR || availableMemory() < availableBytesMin || freeBytes() < freeBytesMin) return {};
  const folder = mkdtempSync(`${memoryFolder}/malote-`);
  // Under root the database runs as another user.
  chmodSync(folder, 0o755);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  return { TMPDIR: folder };
}

function freeBytes() {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
