/**
 * Guessers with any number of addresses: how many of their guesses are checked, whether a code counts twice, and what
 * they learn.
 */

import { chanceOf } from "../chance.ts";
import { withSql } from "../concurrency/planted.ts";
import { proof } from "../proof.ts";
import { answersApart, medianRatio } from "./guess-learning.ts";
import { codesTakenAgain, guessAgainAndAgain, openGuessing, windowFaults } from "./guessing.ts";

/** Guesses for each round of a one-time code, which takes a day of the test's clock. */
const guessesOfOneCode = 60;
/** Pairs of a known and an unknown name: their medians differ by chance, and more where other tests run in parallel. */
const guessesOfOnePair = 20;
const ratioMax = 1.25;

proof(
  "S8",
  "checks ten guesses per account in a quarter of an hour, accepts a code once, and does not reveal who has an account",
  { unit: "guesses a target", short: 60, reduced: 600, full: 3_000 },
  async ({ count, size, seed, report }) => {
    const guessing = await openGuessing();
    const chance = chanceOf(seed);
    try {
      const faults: string[] = [];
      let looked = 0;
      for (const target of guessing.targets) {
        const seen = await guessAgainAndAgain(guessing, target, chance, count);
        looked += seen.length;
        faults.push(...windowFaults(target.name, seen));
        report(`${target.name}: ${seen.length} of ${count} guesses were looked at`);
      }
      const rounds = Math.ceil(count / guessesOfOneCode);
      const again = await codesTakenAgain(guessing, rounds);
      if (again > 0) faults.push(`${again} codes were taken twice`);
      faults.push(...(await answersApart(guessing)));

      const pairs = Math.ceil(count / guessesOfOnePair);
      const ratio = await medianRatio(guessing, guessing.passwords, pairs);
      // A few pairs on a machine that runs other tests too prove nothing about time.
      const differs = (one: number) => one > ratioMax || one < 1 / ratioMax;
      if (size !== "short" && differs(ratio))
        faults.push(`a known name takes ${ratio.toFixed(2)} of an unknown one`);

      const missed: string[] = [];
      const [target] = guessing.targets;
      if (!target) throw new Error("there is nothing to guess");
      const noticed = async (guesses: number, forget?: () => Promise<unknown>) =>
        windowFaults("planted", await guessAgainAndAgain(guessing, target, chance, guesses, forget)).length >
        0;
      const noQueue = (text: string) =>
        text.replace(
          "pg_advisory_xact_lock(hashtextextended",
          "pg_advisory_xact_lock_shared(hashtextextended",
        );
      if (!(await withSql(guessing, noQueue, () => noticed(600))))
        missed.push("guesses at once do not wait for each other");
      if (!(await noticed(60, () => guessing.ask("DELETE FROM sign_in_failures"))))
        missed.push("a guess that is lost");
      const forgetStep = () => guessing.ask("UPDATE users SET two_factor_last_step = 0");
      if ((await codesTakenAgain(guessing, 1, forgetStep)) === 0) missed.push("a code that may come twice");
      if (
        (await answersApart(guessing, (text) => text.replace("wrong_credentials", "unknown_account")))
          .length === 0
      )
        missed.push("another answer for an unknown name");
      const hasty = {
        ...guessing.passwords,
        matches: async (hash: string | null | undefined, password: string) =>
          hash != null && guessing.passwords.matches(hash, password),
      };
      if (!differs(await medianRatio(guessing, hasty, 6))) missed.push("no work for an unknown name");
      return {
        faults,
        figures: {
          targets: guessing.targets.length,
          looked_at: looked,
          codes: rounds,
          time_ratio: ratio.toFixed(2),
        },
        planted: { count: 5, missed },
      };
    } finally {
      await guessing.close();
    }
  },
);
