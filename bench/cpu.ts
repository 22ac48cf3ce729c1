/**
 * Processor time of other processes with all their threads. On a shared machine it is more reliable than the clock,
 * because it excludes waiting. Read from Linux's /proc; NaN elsewhere.
 */
import { readdirSync, readFileSync } from "node:fs";

const nanosecondsPerSecond = 1e9;

function ofProcess(pid: number | string): number {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    return nanoseconds / nanosecondsPerSecond;
  } catch {
    return Number.NaN;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Returns the seconds that a process and its living children have worked so far. */
export function cpuSeconds(pid: number): number {
  const own = ofProcess(pid);
  return Number.isNaN(own) ? own : childrenOf(pid).reduce((sum, child) => sum + (ofProcess(child) || 0), own);
}

const ticksPerSecond = 100;

/** Seconds of this process and of its children that have ended. */
export function cpuWithEnded(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  // Fields 16 and 17 of proc(5), counted after the name.
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  return (user + system) / 1e6 + ended;
}
