/**
 * Goal R1: killed at any moment, Malote loses nothing it acknowledged and pays nothing twice.
 *   node bench/proofs/kills.ts --kills 200 --seed 1 [--group-every 10]
 * Prints one JSON line; ends with 1 when a promise was broken, a planted fault slipped through or a start was slow.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { killAgainAndAgain } from "./kills/run.ts";

const readyP99MsMax = 2_000;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    "group-every": { type: "string", default: "10" },
  },
});
const seed = Number(values.seed);
const report = await killAgainAndAgain({
  kills: Number(values.kills),
  groupEvery: Number(values["group-every"]),
  seed,
  tell: (line) => console.error(line),
});
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: import.meta.dirname,
  encoding: "utf8",
}).trim();
console.log(JSON.stringify({ goal: "R1", commit, seed, readyP99MsMax, ...report }));
const kept =
  report.faults.length === 0 && report.plantsMissed.length === 0 && report.readyMs.p99 <= readyP99MsMax;
process.exit(kept ? 0 : 1);
