/** The books check reports every fault in the books. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { type DatabaseWithSandbox, openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { testClock } from "../testing/app.ts";
import { byForce } from "../testing/by-force.ts";
import { aurora, horizonte, ledgerCalls, move, noon } from "../testing/ledger-kit.ts";
import { receivePix } from "../testing/received-money.ts";
import { rulesOfEverything, rulesSince } from "./books-rules.ts";
import { checkBooks } from "./check-books.ts";
import { knownPostingRule } from "./known-postings.ts";

let db: DatabaseWithSandbox;
beforeAll(async () => {
  const { config } = await testDatabase();
  db = openDatabase({ ...config, max: 8 });
  await seedDemo(db, testClock());
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query(
    `TRUNCATE ledger_accounts, ledger_transactions, ledger_entries, ledger_months, transfers, batches, payment_days,
     payins, received_payments CASCADE`,
  );
  for (const company of [aurora, horizonte]) {
    await db.withCompany(company, (tx) => sql`SELECT open_ledger(${company})`.execute(tx));
  }
});

const { posting } = ledgerCalls(() => db);

it("checks for newer rows only rules of the full check, each once", () => {
  const recent = Object.keys(rulesSince(0));
  expect(Object.keys(rulesOfEverything)).toEqual(expect.arrayContaining(recent));
  expect(new Set(recent).size).toBe(recent.length);
});

describe("checking the books", () => {
  const batchId = randomUUID();
  const paidId = randomUUID();
  const returnedId = randomUUID();

  /** A batch with one paid, one returned and one failed payment, whose books are right. */
  beforeEach(async () => {
    await db.pool.query(
      `INSERT INTO batches (company_id, id, name, type, status, value, payments_count, paid_count, failed_count, returned_count,
         returned_value, reserved_value, created_at, created_by_name)
       VALUES ($1, $2, 'Lote', 'TRANSFER', 'RECEIVED', 60, 3, 1, 1, 1, 20, 30, now(), 'Helena')`,
      [aurora, batchId],
    );
    const insert = `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, end_to_end_id, created_at,
                      transfer_date, failed_date, returned_date)
                    VALUES ($1, $2, $3, $4, $5, $6, 'PIX', $7, now(), now(), now(), now())`;
    await db.pool.query(insert, [aurora, paidId, batchId, 1, "FINISHED", 10, "E1"]);
    await db.pool.query(insert, [aurora, returnedId, batchId, 2, "RETURNED", 20, "E2"]);
    await db.pool.query(insert, [aurora, randomUUID(), batchId, 3, "FAILED", 30, "E3"]);
    await db.pool.query(
      `INSERT INTO payment_days (company_id, day, status, bank_ispb, reason, payments)
       SELECT $1, (counted_as(t) ->> 'day')::date, status, '', '', 1 FROM transfers t`,
      [aurora],
    );
    await db.withCompany(aurora, (tx) => receivePix(tx, noon, [100]));
    await posting([
      move("available", "reserved", 60, `close:${batchId}:1`),
      move("reserved", "payouts", 10, "paid:E1"),
      move("reserved", "available", 20, `refund:${returnedId}`),
    ]);
  });

  it("finds nothing in clean books", async () => {
    expect(await checkBooks(db)).toEqual([]);
  });

  const faults: [rule: string, harm: string, where: RegExp][] = [
    [
      "the entries of a transaction sum to zero",
      "UPDATE ledger_entries SET amount = amount + 1 WHERE account = 'payouts'",
      /.{36}/,
    ],
    [
      "a transaction has entries",
      "DELETE FROM ledger_entries WHERE transaction_id = (SELECT id FROM ledger_transactions WHERE cause = 'paid:E1')",
      /^paid:E1$/,
    ],
    [
      "an entry belongs to a transaction",
      "DELETE FROM ledger_transactions WHERE cause LIKE 'pix:E%'",
      /^available 1$/,
    ],
    [
      "an account's balance and count are those of its entries",
      "UPDATE ledger_accounts SET balance = balance + 1 WHERE account = 'available'",
      /^available$/,
    ],
    [
      "each entry's balance follows from the one before, and time never goes back",
      "UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE account = 'available' AND seq = 2",
      /^available 2$/,
    ],
    [
      "each entry's balance follows from the one before, and time never goes back",
      "UPDATE ledger_entries SET at = at - interval '1 day' WHERE account = 'available' AND seq = 3",
      /^available 3$/,
    ],
    [
      "no account of the company is below zero",
      "ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_floor; UPDATE ledger_accounts SET balance = -1 WHERE account = 'reserved'",
      /^reserved$/,
    ],
    [
      "month counters are the sums of their entries",
      "UPDATE ledger_months SET money_in = money_in + 1 WHERE account = 'available'",
      /^available 2026-08-01$/,
    ],
    [
      "month counters are the sums of their entries",
      "DELETE FROM ledger_months WHERE account = 'payouts'",
      /^payouts/,
    ],
    [
      "a batch's value and counts equal its payments",
      "UPDATE batches SET value = value + 1",
      new RegExp(batchId),
    ],
    [
      "a batch's value and counts equal its payments",
      "UPDATE batches SET paid_count = paid_count - 1",
      new RegExp(batchId),
    ],
    [
      "a paid batch's reservation equals its unpaid payments",
      "UPDATE batches SET reserved_value = 29",
      new RegExp(batchId),
    ],
    [
      "the account reserved equals the reservations of all batches",
      "UPDATE batches SET reserved_value = 31",
      /^reserved$/,
    ],
    [
      "each payment made is posted once, to the centavo",
      `${byForce}UPDATE transfers SET status = 'FINISHED' WHERE end_to_end_id = 'E3'`,
      /.{36}/,
    ],
    [
      "each payment made is posted once, to the centavo",
      "UPDATE transfers SET value = 11 WHERE end_to_end_id = 'E1'",
      new RegExp(paidId),
    ],
    [
      "each returned payment is posted, to the centavo",
      "UPDATE ledger_transactions SET cause = 'refund:other' WHERE cause LIKE 'refund:%'",
      new RegExp(returnedId),
    ],
    [
      "each returned payment is posted, to the centavo",
      "UPDATE transfers SET value = 21 WHERE status = 'RETURNED'",
      new RegExp(returnedId),
    ],
    [
      knownPostingRule,
      `${byForce}UPDATE transfers SET status = 'EXECUTING' WHERE end_to_end_id = 'E1'`,
      /^paid:E1$/,
    ],
    [
      "what left is what arrived",
      `${byForce}UPDATE transfers SET status = 'EXECUTING' WHERE end_to_end_id = 'E1'`,
      /^payouts$/,
    ],
    [
      "the indicators count each payment once, by its outcome",
      "UPDATE payment_days SET payments = 2 WHERE status = 'RETURNED'",
      /RETURNED/,
    ],
    [
      "a draft has no payment under way, and a paid batch has no other",
      `${byForce}UPDATE transfers SET status = 'CREATED' WHERE status = 'FAILED'`,
      /.{36}/,
    ],
    [
      "a draft has no payment under way, and a paid batch has no other",
      `${byForce}UPDATE batches SET status = 'DRAFT'`,
      /.{36}/,
    ],
    ["a payment belongs to a batch", `${byForce}UPDATE transfers SET batch_id = id`, /.{36}/],
  ];

  it.each(faults)("reports %s (%s)", async (rule, harm, where) => {
    await db.pool.query(harm);
    const found = await checkBooks(db);
    expect(found.map((fault) => fault.rule)).toContain(rule);
    const fault = found.find((one) => one.rule === rule);
    expect(fault?.companyId).toBe(aurora);
    expect(fault?.where).toMatch(where);
    if (harm.includes("DROP CONSTRAINT")) {
      await db.pool.query(`DELETE FROM ledger_accounts WHERE balance < 0 AND account = 'reserved';
        ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_floor
        CHECK (balance >= 0 OR account NOT IN ('available', 'reserved', 'blocked'))`);
    }
  });
});
