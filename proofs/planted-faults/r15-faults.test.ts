/** Does anybody notice? Faults are planted in a copy of the repository, one at a time, and a test must fail. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { copyOfTheRepository } from "./copy.ts";
import { type Fault, plant } from "./fault.ts";
import { faults as all } from "./faults.ts";
import { matching, runTests } from "./run-tests.ts";

proof(
  "R15",
  "has each planted fault caught by a proof or a test",
  { unit: "faults", short: 1, reduced: 10, full: all.length },
  async ({ count, size, seed, report }) => {
    const chosen = some(size === "short" ? all.filter((fault) => fault.isQuick) : all, count, seed);
    const { connection } = inject("testServer");
    using copy = copyOfTheRepository();
    // A test that fails without the fault says nothing about it.
    const clean = await runTests(
      copy.root,
      connection,
      chosen.map((fault) => fault.caughtBy),
    );
    const broken = chosen.flatMap(({ caughtBy }) => {
      const tests = matching(clean.ended, caughtBy);
      if (tests.length === 0) return [`no test "${caughtBy.test}" ran in ${caughtBy.file}: ${clean.said}`];
      return tests.filter((test) => !test.passed).map((test) => `"${test.title}" fails without any fault`);
    });
    if (broken.length > 0) return { faults: broken, figures: {} };

    const lines: string[] = [];
    const missed: string[] = [];
    for (const fault of chosen) {
      const caught = await catchersOf(copy.root, fault);
      if (caught.length === 0) missed.push(fault.name);
      const line = `${fault.name} | ${caught.length > 0 ? caught[0] : "NOBODY"}`;
      lines.push(`| ${line} | ${fault.caughtBy.file} |`);
      report(line);
    }
    if (size !== "short") keep(lines);
    return { faults: [], figures: {}, planted: { count: chosen.length, missed } };

    async function catchersOf(root: string, fault: Fault): Promise<string[]> {
      const takeOut = plant(root, fault);
      try {
        const { ended, said } = await runTests(root, connection, [fault.caughtBy]);
        // A file that does not even load is no catch: nobody would have let that in.
        if (matching(ended, fault.caughtBy).length === 0) report(`${fault.name}: no test ran: ${said}`);
        return matching(ended, fault.caughtBy)
          .filter((test) => !test.passed)
          .map((test) => test.title);
      } finally {
        takeOut();
      }
    }
  },
);

function some<T>(list: readonly T[], count: number, seed: number): T[] {
  const chance = chanceOf(seed);
  const left = [...list];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [one] = left.splice(chance.between(0, left.length - 1), 1);
    return one as T;
  });
}

/** The table of the last run, beside the history. */
function keep(lines: readonly string[]): void {
  const folder = join(import.meta.dirname, "../history");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "planted-faults.md"),
    ["| Fault | Caught by | In |", "|---|---|---|", ...lines, ""].join("\n"),
  );
}
