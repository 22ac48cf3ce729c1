/** Detection of faults: they are planted in the database or in its statements, one at a time, and a test must fail. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import type { Fault } from "./fault.ts";
import { faults as all } from "./faults.ts";
import { matching, runTests } from "./run-tests.ts";

proof(
  "R15",
  "has each planted fault caught by a proof or a test",
  { unit: "faults", short: 1, reduced: 10, full: all.length },
  async ({ count, size, seed, report }) => {
    const chosen = some(all, count, seed);
    // A test that fails without the fault says nothing about it.
    const clean = await runTests(chosen.map((fault) => fault.caughtBy));
    const faults = chosen.flatMap(({ caughtBy }) => {
      const tests = matching(clean.ended, caughtBy);
      if (tests.length === 0) return [`no test "${caughtBy.test}" ran in ${caughtBy.file}: ${clean.output}`];
      return tests.filter((test) => !test.passed).map((test) => `"${test.title}" fails without any fault`);
    });
    if (faults.length > 0) return { faults, figures: {} };

    const lines: string[] = [];
    const missed: string[] = [];
    for (const fault of chosen) {
      const { ended, output, wasMet } = await runTests([fault.caughtBy], { plant: fault.plant });
      const ran = matching(ended, fault.caughtBy);
      if (!wasMet) faults.push(`"${fault.name}": no statement is sent that it would change`);
      // A file that does not even load is no catch: no review would have accepted it.
      else if (ran.length === 0) faults.push(`"${fault.name}": no test ran: ${output}`);
      const catcher = ran.find((test) => !test.passed)?.title;
      if (!catcher) missed.push(fault.name);
      const line = `${fault.name} | ${catcher ?? "survived"}`;
      lines.push(`| ${line} | ${fault.caughtBy.file} |`);
      report(line);
    }
    if (size !== "short") keep(lines);
    return { faults, figures: {}, planted: { count: chosen.length, missed } };
  },
);

function some(list: readonly Fault[], count: number, seed: number): Fault[] {
  const chance = chanceOf(seed);
  const left = [...list];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [one] = left.splice(chance.between(0, left.length - 1), 1);
    return one as Fault;
  });
}

/** Writes the table of the last run, beside the history. */
function keep(lines: readonly string[]): void {
  const folder = join(import.meta.dirname, "../history");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "planted-faults.md"),
    ["| Fault | Caught by | In |", "|---|---|---|", ...lines, ""].join("\n"),
  );
}
