/** Mutations of the money rules: each small change must make one of their tests fail. */
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { equivalents } from "./equivalents.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { type RuleTests, ruleTests } from "./rule-tests.ts";

const leastScore = 95;

const testsOfTransfers = ["transfer.test.ts", "transfer-dates.test.ts", "normalise-transfer.test.ts"];

/** The rules of batches, refunds and limits, and the rules of money and days that they use, with their tests. */
const rules: { file: string; tests: string[]; only?: string[] }[] = [
  { file: "batch.ts", tests: ["batch.test.ts"] },
  { file: "batch-status.ts", tests: ["batch.test.ts"] },
  { file: "transfer.ts", tests: testsOfTransfers },
  { file: "payment-status.ts", tests: testsOfTransfers },
  {
    file: "limits.ts",
    tests: ["limits.test.ts", ...testsOfTransfers],
    // The other rules are lengths of texts, pages and files, whose users test them.
    only: ["defaultMaxCents", "maxCentsFor", "draftValueMax", "integrationIdMax"],
  },
  { file: "money.ts", tests: ["money.test.ts"] },
  { file: "calendar.ts", tests: ["calendar.test.ts"] },
  { file: "end-to-end-id.ts", tests: ["end-to-end-id.test.ts"] },
  { file: "withdrawal.ts", tests: ["withdrawal.test.ts"] },
  { file: "controls.ts", tests: ["controls.test.ts", "controls-bounds.test.ts"] },
];

proof(
  "R15",
  `has at least ${leastScore} % of the mutants of its rules of money detected by their tests`,
  { unit: "% of mutants", short: 4, reduced: 100, full: 100 },
  async ({ count, seed, report }) => {
    const chance = chanceOf(seed);
    const faults: string[] = [];
    const survived: string[] = [];
    let noticed = 0;
    let same = 0;
    for (const { file, tests, only } of rules) {
      const script = await ruleTests(tests);
      const failing = script.failing();
      if (failing) return { faults: [`"${failing}" fails without any mutant`], figures: {} };
      const { from, until } = script.placeOf(file);
      const mutants = mutantsOf(script.code, from, until).filter(
        ({ start }) => (!only || only.includes(declaredAt(script, start))) && chance.happens(count),
      );
      for (const mutant of mutants) {
        const isNoticed = script.failing(mutant) !== undefined;
        const isSame = isEquivalent(script, file, mutant);
        if (isNoticed && isSame)
          faults.push(`listed as an equivalent and noticed: ${said(script, file, mutant)}`);
        else if (isNoticed) noticed++;
        else if (isSame) same++;
        else survived.push(said(script, file, mutant));
      }
      report(`${file}: ${mutants.length} mutants`);
    }
    for (const one of survived) report(`survived: ${one}`);
    const tried = noticed + survived.length;
    const score = (100 * noticed) / tried;
    if (!(score >= leastScore - (count < 100 ? chanceOfSample(tried) : 0)))
      faults.push(`a score of ${score.toFixed(1)} %`, ...survived);
    return {
      faults,
      figures: { score: `${score.toFixed(1)} %`, noticed, survived: survived.length, equivalent: same },
    };
  },
);

/**
 * Returns twice the standard deviation of a sample's score, in percent: in a sample a few more mutants survive by
 * chance.
 */
const chanceOfSample = (size: number): number =>
  2 * Math.sqrt((leastScore * (100 - leastScore)) / Math.max(1, size));

/** Returns the name of the rule at a position: the last one declared before it. */
const declaredAt = ({ code }: RuleTests, at: number): string =>
  [...code.slice(0, at).matchAll(/\n\t(?:var|function) (\w+)/g)].at(-1)?.[1] ?? "";

const lineOf = ({ code }: RuleTests, { start }: Mutant): string =>
  code.slice(code.lastIndexOf("\n", start) + 1, code.indexOf("\n", start)).trim();

const isEquivalent = (script: RuleTests, file: string, mutant: Mutant): boolean =>
  equivalents.some(
    (one) =>
      one.file === file &&
      one.line === lineOf(script, mutant) &&
      one.becomes.includes(mutant.becomes) &&
      (!one.rule || one.rule === declaredAt(script, mutant.start)),
  );

const said = (script: RuleTests, file: string, mutant: Mutant): string =>
  `${file}: ${lineOf(script, mutant)} [${mutant.was} becomes ${mutant.becomes}]`;
