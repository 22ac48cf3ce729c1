import { chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { type Fault, playBalance } from "./one-balance.ts";
import { withSql } from "./planted.ts";
import { auroraId, openTwo, type TwoProcesses } from "./two-processes.ts";

const debits = 200;
/** Enough debits to notice a planted fault. */
const plantedDebits = 40;
/** Rounds until a new database replaces the growing one, after a check of its books. */
const freshEvery = 500;
const plantedRoundsMax = 6;

proof(
  "R7",
  `pays exactly as many of ${debits} concurrent debits as the balance covers, refuses no payable one, and never falls below zero`,
  { unit: "rounds", short: 1, reduced: 100, full: 10_000 },
  async ({ count, size, seed, report }) => {
    const chance = chanceOf(seed);
    const faults: string[] = [];
    const missed: string[] = [];
    let paid = 0;
    let withdrawn = 0;
    let waiting = 0;
    let two = await openTwo();
    try {
      const since = performance.now();
      for (let played = 1; played <= count && faults.length <= 20; played++) {
        const round = await playBalance(two, chance, debits);
        paid += round.paid;
        withdrawn += round.withdrawn;
        waiting += round.waiting;
        faults.push(...round.faults.map((fault) => `round ${played}: ${fault}`));
        const isLast = played === count;
        if (played % 50 === 0) report(`${played} rounds, ${faults.length} faults`);
        if (played % freshEvery === 0 || isLast) faults.push(...(await two.books()));
        if (played % freshEvery === 0 && !isLast) {
          await two.close();
          two = await openTwo();
        }
      }
      const roundMs = Math.round((performance.now() - since) / count);
      for (const [name, plant] of Object.entries(plants)) {
        let rounds = 0;
        while (rounds < plantedRoundsMax && !(await noticed(two, seed + rounds, await plant(two)))) rounds++;
        if (rounds === plantedRoundsMax) missed.push(name);
      }
      return {
        faults,
        figures: { paid, withdrawn, waiting, ...(size !== "short" && { round_ms: roundMs }) },
        planted: { count: Object.keys(plants).length, missed },
      };
    } finally {
      await two.close();
    }
  },
);

/** Faults that the checks of a round must notice. The last ones leave the books broken. */
const plants: Record<string, (two: TwoProcesses) => Fault | Promise<Fault>> = {
  "the last centavo may not be spent": (two) => ({
    around: (work) => withSql(two, (text) => text.replace("balance_after < 0", "balance_after < 1"), work),
  }),
  "money that comes in is offered to no waiting batch": (two) => ({
    hasMoneyForAll: true,
    around: (work) =>
      withSql(
        two,
        (text) => text.replace(/b\.status = 'WAITING'(\s+ORDER BY b\.waiting_since)/, "false$1"),
        work,
      ),
  }),
  "no transaction queues for the balance": (two) => ({
    around: (work) =>
      withSql(two, (text) => text.replace("ORDER BY account FOR UPDATE", "ORDER BY account"), work),
  }),
  "a debit taken twice": (two) => ({
    after: () =>
      two.ask(
        `INSERT INTO ledger_transactions (company_id, id, type, cause, description, complement, at)
         SELECT company_id, gen_random_uuid(), type, left(cause, -1) || (CASE right(cause, 1) WHEN '1' THEN '2' ELSE '1' END),
           description, complement, at
         FROM ledger_transactions WHERE company_id = $1 AND type = 'BATCH' AND id = (
           SELECT e.transaction_id FROM ledger_entries e
           JOIN ledger_transactions l ON l.company_id = e.company_id AND l.id = e.transaction_id AND l.type = 'BATCH'
           WHERE e.company_id = $1 AND e.account = 'available' ORDER BY e.seq DESC LIMIT 1)`,
        [auroraId],
      ),
  }),
  "a withdrawal without a notification": (two) => ({
    after: () =>
      two.ask(
        `INSERT INTO batches (company_id, id, name, type, status, value, payments_count, reserved_value, created_at, created_by_name)
         VALUES ($1, gen_random_uuid(), 'Resgate', 'WITHDRAWAL', 'RECEIVED', 1, 1, 1, now(), 'Helena Prado')`,
        [auroraId],
      ),
  }),
  "the balance has no floor": async (two) => {
    await two.ask("ALTER TABLE ledger_accounts DROP CONSTRAINT IF EXISTS ledger_accounts_floor");
    return {
      around: (work) => withSql(two, (text) => text.replace("balance_after < 0 AND", "false AND"), work),
    };
  },
};

async function noticed(two: TwoProcesses, seed: number, fault: Fault): Promise<boolean> {
  const { faults } = await playBalance(two, chanceOf(seed), plantedDebits, fault);
  return faults.length > 0;
}
