/** The neighbour's side: looks at their balance again and again, and keeps the times of quiet and of loud apart. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { readBalance } from "@malote/contracts/statement";
import { send } from "../../e2e/api.ts";
import type { FromNeighbour, Mood } from "./neighbour.ts";

const everyMs = 10;
const { url, token } = workerData as { url: string; token: string };
const times: Record<Mood, number[]> = { quiet: [], loud: [], between: [], end: [] };
let mood: Mood = "between";
let asking: Promise<unknown> = Promise.resolve();
const say = (message: FromNeighbour) => parentPort?.postMessage(message);

parentPort?.on("message", async (next: Mood) => {
  mood = next;
  // Whoever was kept waiting by an attack is heard to the end.
  await asking;
  say(next === "end" ? { mood, ratio: p99(times.loud) / Math.max(p99(times.quiet), 0.001) } : { mood: next });
});

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
parentPort?.close();

function p99(all: number[]): number {
  const inOrder = all.toSorted((one, other) => one - other);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * 0.99))] ?? 0;
}
