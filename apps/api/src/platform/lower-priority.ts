/** Lowers the priority of a process. `startLowPriorityProcess` runs it before any other code of the child. */
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** Half of nice's maximum of 19: the process still gets its share on an idle processor, the usual case. */
const niceness = 10;

try {
  setPriority(niceness);
  // Linux has priorities per thread, and V8's helpers exist already.
  if (process.platform === "linux")
    for (const thread of readdirSync("/proc/self/task")) setPriority(Number(thread), niceness);
} catch {
  // A container that hides or forbids /proc keeps the normal priority.
}
