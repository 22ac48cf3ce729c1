/**
 * Memory of a Node process with its child processes that are Node too: what the product uses without PostgreSQL. Read
 * from Linux's /proc, which has a peak value for each process.
 */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";

const kibibyte = 1024;
/** Short compared with the life of a child; its peak value covers the time between two readings. */
const everyMs = 10;

/** Bytes now, and the sum of the peaks after the last reset. */
export interface Memory {
  now: number;
  peak: number;
}

export function memoryOf(pid: number): Memory {
  const own = fieldsOf(pid);
  const all = childrenOf(pid).map(fieldsOf);
  // The child shares the pages of the program's file with its parent.
  return all.reduce(
    ({ now, peak }, child) => ({
      now: now + Math.max(child.now - child.file, 0),
      peak: peak + Math.max(child.peak - child.file, 0),
    }),
    { now: own.now, peak: own.peak },
  );
}

/** Follows a process, because the peak of a child is lost when it ends. */
export function watchMemory(pid: number): { peak(): number; stop(): void } {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, memoryOf(pid).peak);
  };
  const timer = setInterval(look, everyMs);
  return {
    peak() {
      look();
      return peak;
    },
    stop: () => clearInterval(timer),
  };
}

export const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, "5");

function fieldsOf(pid: number): Memory & { file: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const bytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * kibibyte;
    return { now: bytes("VmRSS"), peak: bytes("VmHWM"), file: bytes("RssFile") };
  } catch {
    // The process ended after the listing.
    return { now: 0, peak: 0, file: 0 };
  }
}

/** Returns the children that run the same program. */
function childrenOf(pid: number): number[] {
  const program = programOf(pid);
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "))
    .map(Number)
    .filter((child) => child > 0 && programOf(child) === program);
}

function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
