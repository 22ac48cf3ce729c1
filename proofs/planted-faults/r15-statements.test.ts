/** The same question to the one function that moves money, in the database. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { copyOfTheRepository } from "./copy.ts";
import { type Fault, plant } from "./fault.ts";
import { mutantsOfSql } from "./mutants.ts";
import { runTests } from "./run-tests.ts";
import { sameStatements } from "./same-statements.ts";

const leastScore = 95;

interface Place {
  file: string;
  begins: string;
  ends: string;
  tests: readonly string[];
}

const places: Place[] = [
  {
    file: "apps/api/migrations/0003_ledger.sql",
    begins: "CREATE FUNCTION post_movements(",
    ends: "END $$;",
    tests: ["apps/api/src/ledger/ledger.test.ts"],
  },
];

interface Planted extends Omit<Fault, "caughtBy"> {
  tests: readonly string[];
}

const mutants = places.flatMap((place) => mutantsAt(place));

it.each(places)("finds what could be changed in $file, from $begins", (place) => {
  expect(mutantsAt(place).length).toBeGreaterThan(0);
});

it("lists as the same only what could be changed", () => {
  const names = places.flatMap((place) => mutantsAt(place, [])).map((mutant) => mutant.name);
  for (const [same] of sameStatements) expect(names).toContain(same);
});

// Seconds for each: at the short size the planted faults have to do.
if (process.env["MALOTE_PROOF"]) {
  proof(
    "R15",
    `has at least ${leastScore} % of the mutants of its posting noticed by the tests of the ledger`,
    { unit: "mutants of the posting", short: 0, reduced: 6, full: mutants.length },
    async ({ count, seed, report }) => {
      const chance = chanceOf(seed);
      const left = [...mutants];
      const chosen = Array.from(
        { length: count },
        () => left.splice(chance.between(0, left.length - 1), 1)[0],
      );
      const { connection } = inject("testServer");
      using copy = copyOfTheRepository();
      const run = async (tests: readonly string[]) => {
        const { ended, said } = await runTests(
          copy.root,
          connection,
          tests.map((file) => ({ file, test: "" })),
          { stopsAtFirst: true },
        );
        if (ended.length === 0) report(`no test ran: ${said}`);
        return ended.find((test) => !test.passed)?.title;
      };
      const failing = await run([...new Set(chosen.flatMap((one) => one?.tests ?? []))]);
      if (failing) return { faults: [`"${failing}" fails without any mutant`], figures: {} };

      const survived: string[] = [];
      let noticed = 0;
      for (const mutant of chosen) {
        if (!mutant) continue;
        const takeOut = plant(copy.root, mutant);
        const by = await run(mutant.tests).finally(takeOut);
        report(`${mutant.name} | ${by ?? "NOBODY"}`);
        if (by) noticed++;
        else survived.push(mutant.name);
      }
      const score = (100 * noticed) / (noticed + survived.length);
      return {
        faults: score >= leastScore ? [] : [`a score of ${score.toFixed(1)} %`, ...survived],
        figures: { score: `${score.toFixed(1)} %`, noticed, survived: survived.length },
      };
    },
  );
}

function mutantsAt({ file, begins, ends, tests }: Place, same = sameStatements): Planted[] {
  const code = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
  const from = code.indexOf(begins) + begins.length;
  const until = code.indexOf(ends, from);
  if (from < begins.length || until < 0) throw new Error(`"${begins}" is nowhere in ${file}`);
  return mutantsOfSql(code, from, until)
    .map(({ start, end, was, becomes }) => {
      const [left, right] = around(code, start, end);
      const line = code.slice(code.lastIndexOf("\n", start) + 1, code.indexOf("\n", start)).trim();
      return {
        name: `${file}: ${line} [${was.trim()} becomes ${becomes.trim() || "nothing"}]`,
        file,
        right: code.slice(left, right),
        wrong: code.slice(left, start) + becomes + code.slice(end, right),
        tests,
      };
    })
    .filter(({ name }) => !same.some(([one]) => one === name));
}

/** As many lines around a place as it takes to occur in the file only once. */
function around(code: string, start: number, end: number): [number, number] {
  let left = start;
  let right = end;
  do {
    left = Math.max(0, code.lastIndexOf("\n", left - 2) + 1);
    const next = code.indexOf("\n", right + 1);
    right = next < 0 ? code.length : next;
  } while (code.split(code.slice(left, right)).length !== 2);
  return [left, right];
}
