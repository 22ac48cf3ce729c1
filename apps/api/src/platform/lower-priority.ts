/** Run in a worker thread before anything else of it, by `lowPriorityThread`. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Of nice's 19: it still gets its share when the processor is idle, which is most of the time. */
const niceness = 10;

// Linux counts priorities by thread; elsewhere nothing changes.
if (process.platform === "linux") {
  try {
    // Read by the thread that asks, so it is this thread's own number.
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
    // Nearly all the garbage of the process is this thread's, and V8 has it collected by helpers all threads share.
    for (const thread of readdirSync("/proc/self/task")) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "utf8");
      if (name.startsWith("V8Worker")) setPriority(Number(thread), niceness);
    }
  } catch {
    // A container that hides /proc or forbids it: the thread works on as before.
  }
}
