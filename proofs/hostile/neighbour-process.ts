/** The neighbour's side: looks at their balance again and again, and keeps the times of quiet and of loud apart. */
import { setTimeout as sleep } from "node:timers/promises";
import { readBalance } from "@malote/contracts/statement";
import { send } from "../../e2e/api.ts";
import type { FromNeighbour, Mood } from "./neighbour.ts";

const everyMs = 10;
const [url = "", token = ""] = process.argv.slice(2);
const times: Record<Mood, number[]> = { quiet: [], loud: [], between: [], end: [] };
let mood: Mood = "between";
let asking: Promise<unknown> = Promise.resolve();
const say = (message: FromNeighbour) => process.send?.(message);

process.on("message", async (next: Mood) => {
  mood = next;
  // Whoever was kept waiting by an attack is heard to the end.
  await asking;
  say(next === "end" ? { mood, p99Ms: { quiet: p99(times.quiet), loud: p99(times.loud) } } : { mood: next });
});
// Who started this may have ended without a word.
process.once("disconnect", () => process.exit());

const moodNow = () => mood;

for (let during = moodNow(); during !== "end"; during = moodNow()) {
  const since = performance.now();
  const answer = send(url, token, readBalance);
  asking = answer.catch(() => undefined);
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`a neighbour was refused: ${status} ${text}`);
  // What began in the quiet and ended beside an attack is neither.
  if (during !== "quiet" || moodNow() === "quiet") times[during].push(performance.now() - since);
  await sleep(everyMs);
}

function p99(all: number[]): number {
  const inOrder = all.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * 0.99))] ?? 0;
}
