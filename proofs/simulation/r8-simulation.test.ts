import { proof } from "../proof.ts";
import { plants } from "./planted-faults.ts";
import { playSeed, shrunk, sourceOf } from "./replay.ts";
import { detectPlanted } from "./run-planted.ts";
import { openSystem, type SystemUnderTest } from "./system-under-test.ts";

/** The range of sequence numbers per seed; a run never plays that many. */
const sequencesMax = 1_000_000;
/** One sequence in this many is played twice, and must give the same trace. */
const twiceEvery = 25;
/** Planted faults take longer than a test may in the short form; there, the seed selects this one and the next. */
const plantsInShort = [0, 1];

/** Returns where a repeated sequence differed; undefined when it did not. */
async function otherWay(
  system: SystemUnderTest,
  own: number,
  trace: readonly string[],
): Promise<string | undefined> {
  const again = await playSeed(system, own);
  const at = trace.findIndex((step, index) => step !== again.trace[index]);
  return at === -1 ? undefined : `${trace[at]}, and then ${again.trace[at]}`;
}

proof(
  "R8",
  "agrees with a small model despite crashes, lost answers, repeated events and moved clocks",
  { unit: "seconds of sequences", short: 2, reduced: 60, full: 600 },
  async ({ count, size, seed, report }) => {
    const system = await openSystem();
    const faults: string[] = [];
    const figures = {
      sequences: 0,
      operations: 0,
      withdrawals: 0,
      "cut off": 0,
      "played twice": 0,
      answers: 0,
      longest: 0,
    };
    const answers = new Set<string>();

    const until = performance.now() + count * 1_000;
    for (let index = 0; performance.now() < until && faults.length === 0; index++) {
      const own = seed * sequencesMax + index;
      const played = await playSeed(system, own);
      figures.sequences++;
      figures.operations += played.done;
      figures.withdrawals += played.answers["withdraw ok"] ?? 0;
      figures["cut off"] += played.broken;
      for (const answer of Object.keys(played.answers)) answers.add(answer);
      if (played.faults.length > 0) {
        const small = await shrunk(system, played);
        const title = `R8 sequence ${index} of seed ${seed}`;
        // The whole sequence is printed if shrinking lost the fault.
        const source = sourceOf(small.faults.length > 0 ? small : played, title);
        // Printed as it is, to be pasted; the report of a failed test would escape it.
        process.stderr.write(`\n${source}\n\n`);
        faults.push(source);
      } else if (index % twiceEvery === 0) {
        figures["played twice"]++;
        const other = await otherWay(system, own, played.trace);
        if (other)
          faults.push(`sequence ${index} of seed ${seed} went another way the second time: ${other}`);
      }
      if (index % 100 === 99) report(`${figures.sequences} sequences, ${figures.operations} operations`);
    }
    figures.answers = answers.size;

    const all = Object.entries(plants);
    const chosen = size === "short" ? plantsInShort.map((more) => all[(seed + more) % all.length]) : all;
    const missed: string[] = [];
    for (const named of faults.length > 0 ? [] : chosen) {
      if (!named) continue;
      const [name, plant] = named;
      const detection = await detectPlanted(system, plant, seed * sequencesMax);
      figures.longest = Math.max(figures.longest, detection.operations);
      report(
        `${name}: ${detection.missed ?? "caught"} (${detection.sequences} sequences, ${detection.operations} operations)`,
      );
      if (detection.missed) missed.push(`${name}: ${detection.missed}`);
    }
    await system.wipe();
    await system.close();
    const { longest, ...others } = figures;
    return {
      faults,
      figures: { ...others, "operations of the longest found fault": longest },
      planted: { count: chosen.length, missed },
    };
  },
);
