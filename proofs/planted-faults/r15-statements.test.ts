/** Mutations of the one function that moves money: its definition in the database is changed, word by word. */
import pg from "pg";
import { expect, it } from "vitest";
import { testDatabase } from "../../apps/api/src/platform/db/test-database.ts";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { mutantsOfSql } from "./mutants.ts";
import { runTests } from "./run-tests.ts";
import { sameStatements } from "./same-statements.ts";

const leastScore = 95;
const places = [
  {
    name: "post_allowed_movements",
    tests: ["apps/api/src/ledger/ledger.test.ts", "apps/api/src/ledger/check-books.test.ts"],
  },
] as const;

interface Changed {
  name: string;
  sql: string;
  tests: readonly string[];
}

it.each(places)("finds the possible changes in $name, and those listed as equivalent", async (place) => {
  const names = (await changesOf(place)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(sameStatements.map(([same]) => same)));
});

// Each takes seconds; the planted faults suffice at the short size.
if (process.env["MALOTE_PROOF"]) {
  proof(
    "R15",
    `has at least ${leastScore} % of the mutants of its posting detected by the tests of the ledger`,
    { unit: "mutants of the posting", short: 0, reduced: 6, full: 1_000 },
    async ({ count, seed, report }) => {
      const chance = chanceOf(seed);
      const all = (await Promise.all(places.map(changesOf))).flat();
      const lost = sameStatements.filter(([same]) => !all.some(({ name }) => name === same));
      if (all.length === 0 || lost.length > 0)
        return { faults: [`${all.length} mutants, and none called ${lost.join(", ")}`], figures: {} };

      const left = all.filter(({ name }) => !sameStatements.some(([same]) => same === name));
      const chosen = Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(chance.between(0, left.length - 1), 1)[0] as Changed,
      );
      const firstFailing = async (tests: readonly string[], sql?: string) => {
        const { ended, output } = await runTests(
          tests.map((file) => ({ file, test: "" })),
          { ...(sql && { plant: { sql } }), stopsAtFirst: true },
        );
        if (ended.length === 0) report(`no test ran: ${output}`);
        return ended.find((test) => !test.passed)?.title;
      };
      const failing = await firstFailing([...new Set(chosen.flatMap(({ tests }) => tests))]);
      if (failing) return { faults: [`"${failing}" fails without any mutant`], figures: {} };

      const survived: string[] = [];
      for (const { name, sql, tests } of chosen) {
        const by = await firstFailing(tests, sql);
        report(`${name} | ${by ?? "survived"}`);
        if (!by) survived.push(name);
      }
      const score = (100 * (chosen.length - survived.length)) / chosen.length;
      return {
        faults: score >= leastScore ? [] : [`a score of ${score.toFixed(1)} %`, ...survived],
        figures: {
          score: `${score.toFixed(1)} %`,
          noticed: chosen.length - survived.length,
          survived: survived.length,
        },
      };
    },
  );
}

async function changesOf({ name, tests }: (typeof places)[number]): Promise<Changed[]> {
  const { config } = await testDatabase();
  const client = new pg.Client(config);
  await client.connect();
  const { rows } = await client.query<{ code: string }>(
    "SELECT pg_get_functiondef(oid) AS code FROM pg_proc WHERE proname = $1",
    [name],
  );
  await client.end();
  const [{ code }] = rows as [{ code: string }];
  return mutantsOfSql(code, code.indexOf("BEGIN"), code.length).map(({ start, end, was, becomes }) => {
    const line = code.slice(code.lastIndexOf("\n", start) + 1, code.indexOf("\n", start)).trim();
    return {
      name: `${name}: ${line} [${was.trim()} becomes ${becomes.trim() || "nothing"}]`,
      sql: code.slice(0, start) + becomes + code.slice(end),
      tests,
    };
  });
}
