/**
 * The neighbour's side: looks at their balance again and again, and keeps the times of quiet and of loud apart. Times
 * in which the machine was not ours (a host that gives its processors to others as well) say nothing and are dropped.
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
/** Of the machine's time since the quiet before an attack, what a host may give to others. */
const takenShareMax = 0.02;
/** Of all attacks that count. */
const times: Record<"quiet" | "loud", number[]> = { quiet: [], loud: [] };
/** Since the last quiet began. */
let lately: Record<Mood, number[]> = emptyTimes();
let taken = takenMs();
let since = performance.now();
let mood: Mood = "rest";
let token = "";
let asking: Promise<unknown> = Promise.resolve();
const say = (message: FromNeighbour) => process.send?.(message);

process.on("message", async (next: Mood) => {
  // Signing in is work for the server, which belongs to no mood.
  if (next === "quiet") token = await signedIn();
  mood = next;
  // Callers who were delayed by an attack are answered to the end.
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
// Who started this may have ended without a word.
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
  // What began in the quiet and ended beside an attack is neither.
  if (during !== "quiet" || moodNow() === "quiet") lately[during].push(performance.now() - began);
}

function emptyTimes(): Record<Mood, number[]> {
  return { quiet: [], loud: [], between: [], rest: [] };
}

/** What the host gave to others so far, of all processors. Only Linux reports it, in hundredths of a second. */
function takenMs(): number {
  if (process.platform !== "linux") return 0;
  const [all = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  return Number(all.split(/ +/)[8]) * 10;
}

function p99(all: number[]): number {
  const inOrder = all.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * 0.99))] ?? 0;
}
