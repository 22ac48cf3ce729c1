/** Lowers the priority of a worker thread. `lowPriorityThread` runs it before any other code of the thread. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Half of nice's maximum of 19: the thread still gets its share on an idle processor, the usual case. */
const niceness = 10;

// Linux has priorities per thread; other systems keep the default.
if (process.platform === "linux") {
  try {
    // The current thread reads this link, so it is the thread's own id.
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
    // Nearly all garbage of the process comes from this thread, and shared helper threads of V8 collect it.
    for (const thread of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "utf8");
      if (name.startsWith("V8Worker")) setPriority(Number(thread), niceness);
    }
  } catch {
    // A container that hides or forbids /proc keeps the normal priority.
  }
}
