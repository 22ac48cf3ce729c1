/**
 * The neighbour's process: reads their balance repeatedly, and records the times of quiet and of loud periods
 * separately. Times in which the host gave the processors to others prove nothing and are dropped.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { readBalance } from "@malote/contracts/statement";
import { keepSignedIn, send, signIn } from "../../e2e/api.ts";
import type { FromNeighbour, Mood } from "./neighbour.ts";

const everyMs = 10;
const [url = "", email = ""] = process.argv.slice(2);
const signedIn = keepSignedIn(() => signIn(url, email));
/** The maximum share, from the quiet period before an attack on, of processor time that the host may give to others. */
const takenShareMax = 0.02;
/** Times of all attacks that count. */
const times: Record<"quiet" | "loud", number[]> = { quiet: [], loud: [] };
/** Times after the start of the last quiet period. */
let lately: Record<Mood, number[]> = emptyTimes();
let taken = takenMs();
let since = performance.now();
let mood: Mood = "rest";
let token = "";
let asking: Promise<unknown> = Promise.resolve();
const say = (message: FromNeighbour) => process.send?.(message);

process.on("message", async (next: Mood) => {
  // Signing in is work for the server, so it belongs to neither period.
  if (next === "quiet") token = await signedIn();
  mood = next;
  // Calls delayed by an attack are completed.
  await asking;
  if (next === "quiet") {
    lately = emptyTimes();
    taken = takenMs();
    since = performance.now();
  }
  const counts = (takenMs() - taken) / availableParallelism() / (performance.now() - since) <= takenShareMax;
  if (next === "between" && counts) {
    times.quiet.push(...lately.quiet);
    times.loud.push(...lately.loud);
  }
  say({
    mood: next,
    counts,
    ...(next === "rest" && { p99Ms: { quiet: p99(times.quiet), loud: p99(times.loud) } }),
  });
  if (next === "rest") for (const series of Object.values(times)) series.length = 0;
});
// The parent process may end without a message.
process.once("disconnect", () => process.exit());

const moodNow = () => mood;

for (; ; await sleep(everyMs)) {
  const during = moodNow();
  if (during === "rest") continue;
  const began = performance.now();
  const answer = send(url, token, readBalance);
  asking = answer.catch(() => undefined);
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`a neighbour was refused: ${status} ${text}`);
  // A call that began in the quiet period and ended during an attack counts for neither.
  if (during !== "quiet" || moodNow() === "quiet") lately[during].push(performance.now() - began);
}

function emptyTimes(): Record<Mood, number[]> {
  return { quiet: [], loud: [], between: [], rest: [] };
}

/**
 * Returns the processor time that the host has given to others, over all processors. Only Linux reports it, in
 * hundredths of a second.
 */
function takenMs(): number {
  if (process.platform !== "linux") return 0;
  const [all = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  return Number(all.split(/ +/)[8]) * 10;
}

function p99(all: number[]): number {
  const inOrder = all.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * 0.99))] ?? 0;
}
