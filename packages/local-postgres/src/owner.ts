import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Thrown when another living process owns the folder. */
export class AlreadyOwnedError extends Error {
  readonly pid: number;
  constructor(pid: number) {
    super(`em uso pelo processo ${pid}`);
    this.pid = pid;
  }
}

/**
 * Claims a folder for this process by a file with its identity, and returns the release.
 *
 * The identity is the process number with its start time, so a number reused after a crash does not look like a living
 * owner. `link` and `rename` decide every race: of several processes that find a dead owner at once, exactly one wins.
 */
export function claim(file: string): () => void {
  const mine = `${process.pid} ${startedAt(process.pid) ?? ""}`;
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, mine);
  try {
    for (;;) {
      if (tryLink(draft, file)) break;
      const holder = read(file);
      if (holder === undefined) continue;
      if (isAlive(holder)) throw new AlreadyOwnedError(pidOf(holder));
      moveAway(file, holder);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (read(file) === mine) rmSync(file, { force: true });
  };
}

/** Removes the claim of a dead owner, and restores it if a living process claimed between the read and the move. */
function moveAway(file: string, dead: string): void {
  const moved = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(file, moved);
  } catch {
    return;
  }
  if (read(moved) !== dead) tryLink(moved, file);
  rmSync(moved, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const pidOf = (identity: string) => Number.parseInt(identity, 10);

function isAlive(identity: string): boolean {
  const pid = pidOf(identity);
  const started = Number.isNaN(pid) ? undefined : startedAt(pid);
  return started !== undefined && identity === `${pid} ${started}`;
}

/** Returns the start time of a living process in the system's own format; undefined when there is none. */
function startedAt(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The command name may contain spaces and brackets, so fields are counted from the last bracket.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [state] = fields;
      if (state === "Z" || state === "X") return undefined;
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}
