import { randomUUID } from "node:crypto";
import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { playRound } from "./one-batch.ts";
import { withSql } from "./planted.ts";
import { auroraId, openTwo, type TwoProcesses } from "./two-processes.ts";

/** Rounds between two checks of all the books, and between two new databases. */
const booksEvery = 100;
const freshEvery = 1_000;
/** The number of rounds for a planted fault, because a race is visible only when it is lost. */
const plantedRoundsMax = 12;

proof(
  "R6",
  "lets exactly one of sixty-four concurrent calls on a batch win in two processes, and pays its content at the closing",
  { unit: "rounds", short: 4, reduced: 300, full: 5_000 },
  async ({ count, size, seed, report }) => {
    const chance = chanceOf(seed);
    const faults: string[] = [];
    const answers: Record<string, number> = {};
    const ends = { paid: 0, deleted: 0 };
    const missed: string[] = [];
    let two = await openTwo();
    try {
      const since = performance.now();
      for (let played = 1; played <= count; played++) {
        const round = await playRound(two, chance);
        ends[round.end]++;
        for (const [outcome, times] of Object.entries(round.answers))
          answers[outcome] = (answers[outcome] ?? 0) + times;
        faults.push(...round.faults.map((fault) => `round ${played}: ${fault}`));
        if (played % booksEvery === 0 || played === count) {
          faults.push(...(await two.books()));
          report(`${played} rounds, ${faults.length} faults`);
        }
        if (faults.length > 20) break;
        if (played % freshEvery === 0 && played < count) {
          await two.close();
          two = await openTwo();
        }
      }
      const roundMs = Math.round((performance.now() - since) / count);
      for (const [name, plant] of Object.entries(plants)) {
        let rounds = 0;
        while (rounds < plantedRoundsMax && !(await plant(two, seed + rounds))) rounds++;
        if (rounds === plantedRoundsMax) missed.push(name);
      }
      const answered = Object.values(answers).reduce((sum, times) => sum + times, 0);
      return {
        faults,
        figures: {
          ...ends,
          answers: answered,
          done: answers["200"] ?? 0,
          ...(size !== "short" && { round_ms: roundMs }),
        },
        planted: { count: Object.keys(plants).length, missed },
      };
    } finally {
      await two.close();
    }
  },
);

/** Planted faults; each returns whether the checks of a round noticed it. */
const plants: Record<string, (two: TwoProcesses, seed: number) => Promise<boolean>> = {
  "no transaction queues for the batch": (two, seed) => withSql(two, withoutLock, () => noticed(two, seed)),
  "closing does not look at the status": (two, seed) =>
    withSql(
      two,
      (text) => withoutGuard(withoutLock(text)),
      () => noticed(two, seed),
    ),
  "a payment put in after the close": (two, seed) =>
    noticed(two, seed, (batchId) =>
      two.ask(
        `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, created_at)
         VALUES ($1, $2, $3, 99, 'CREATED', 1, 'PIX', now())`,
        [auroraId, randomUUID(), batchId],
      ),
    ),
  "a payment that grew by a centavo": (two, seed) =>
    noticed(two, seed, (batchId) =>
      two.ask(
        "UPDATE transfers SET value = value + 1 WHERE company_id = $1 AND batch_id = $2 AND position = 1",
        [auroraId, batchId],
      ),
    ),
  "a close that left no trace": (two, seed) =>
    noticed(two, seed, (batchId) =>
      two.ask("UPDATE batches SET closings = closings - 1 WHERE company_id = $1 AND id = $2", [
        auroraId,
        batchId,
      ]),
    ),
  "a payment paid twice": (two, seed) =>
    noticed(two, seed, (batchId) =>
      two.ask(
        // The database itself refuses one side of a posting without the other.
        `INSERT INTO ledger_entries SELECT a.company_id, a.account, a.seq + 1, twice.transaction_id,
           CASE a.account WHEN 'payouts' THEN twice.amount ELSE -twice.amount END, 0, twice.at
         FROM ledger_accounts a, LATERAL (
           SELECT e.* FROM ledger_entries e
           JOIN ledger_transactions l ON l.company_id = e.company_id AND l.id = e.transaction_id
           WHERE e.company_id = a.company_id AND e.account = 'payouts' AND l.complement ->> 'batch_id' = $1 LIMIT 1) twice
         WHERE a.account IN ('payouts', 'fees')`,
        [batchId],
      ),
    ),
};

async function noticed(
  two: TwoProcesses,
  seed: number,
  meddle?: (batchId: string) => Promise<unknown>,
): Promise<boolean> {
  const { faults } = await playRound(two, chanceOf(seed), meddle && ((_, batchId) => meddle(batchId)));
  return faults.length > 0;
}

const withoutLock = (text: string) =>
  text.includes("FROM batches b") ? text.replace(/ FOR UPDATE\s*$/, "") : text;

const withoutGuard = (text: string) =>
  text.replace(
    /(UPDATE batches SET [^;]*closings = [^;]*)AND status IN \('DRAFT', 'WAITING_APPROVAL'\)/,
    "$1",
  );
