/** Run in a worker thread before anything else of it, by `goesBehind`. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Of nice's 19: it still gets its share when nobody else wants the processor, which is most of the time. */
const niceness = 10;

// Linux counts priorities by thread; elsewhere nothing changes.
if (process.platform === "linux") {
  try {
    // Read by the thread that asks, so it is this thread's own number.
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
  } catch {
    // A container that hides /proc or forbids it: the thread works on as before.
  }
}
