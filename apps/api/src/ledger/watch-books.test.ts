/** The check of each minute: the rows it covers, the rows it leaves to the hourly check, and its single worker. */
import { randomUUID } from "node:crypto";
import { cancelScheduledBatch } from "@malote/contracts/batch-life";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { byForce } from "../testing/by-force.ts";
import { auroraId, openPayments, type PaymentsKit, paidFor, pix } from "../testing/payments-kit.ts";
import { checkRecentBooks } from "./check-books.ts";
import { type Movement, post } from "./index.ts";
import { knownPostingRule } from "./known-postings.ts";
import { watchBooks } from "./watch-books.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
  await paidFor(kit, [pix(10_00), pix(20_00)]);
  await kit.pass({ seconds: 5 });
});
// Some tests break the books on purpose.
afterEach(() => kit.close().catch((error: Error) => expect(error.message).toContain("books are not clean")));

const query = (text: string) => kit.services.db.pool.query(text);
const aMinuteLater = async () => {
  await query("UPDATE books_checks SET checked_at = checked_at - interval '1 minute'");
  return watchBooks(kit.services.db);
};
const anHourLater = async () => {
  await query("UPDATE books_checks SET checked_fully_at = checked_fully_at - interval '2 hours'");
  return aMinuteLater();
};

it("checks everything first, then only newer rows", async () => {
  expect(await watchBooks(kit.services.db)).toEqual({ checked: "everything", faults: [] });
  await paidFor(kit, [pix(7_00)]);
  await kit.pass({ seconds: 5 });
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
  expect(await anHourLater()).toEqual({ checked: "everything", faults: [] });
});

describe("a batch that was cancelled as a whole", () => {
  const cancelled = async () => {
    await watchBooks(kit.services.db);
    const day = new Date(kit.services.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
    const id = await paidFor(kit, [pix(7_00, { payment_date: day }), pix(8_00, { payment_date: day })]);
    await kit.drainJobs();
    const { status } = await kit.admin.call(
      cancelScheduledBatch,
      { params: { id } },
      { "idempotency-key": randomUUID() },
    );
    expect(status).toBe(200);
  };

  it("is no fault if one entry returned its money", async () => {
    await cancelled();
    expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
    expect(await anHourLater()).toEqual({ checked: "everything", faults: [] });
  });

  it("is reported if no entry returned its money", async () => {
    await cancelled();
    await query("UPDATE ledger_transactions SET cause = 'x' || cause WHERE cause LIKE 'cancel:%'");
    const { checked, faults } = await aMinuteLater();
    expect(checked).toBe("recent");
    expect(faults.map((fault) => fault.rule)).toContain("a cancelled batch is returned whole, once");
  });
});

it("finds the payins of the minute without reading older ones", async () => {
  await kit.deposit(10_00);
  const scans = await kit.services.db.withSystem(async (tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    await checkRecentBooks(tx, 1_000_000_000);
    const { rows } = await sql<{ seq_scan: number; idx_scan: number }>`
      SELECT seq_scan::int, idx_scan::int FROM pg_stat_xact_user_tables WHERE relname = 'payins'
    `.execute(tx);
    return rows[0];
  });
  expect(scans?.seq_scan).toBe(0);
  expect(scans?.idx_scan).toBeGreaterThan(0);
});

it("runs once for all concurrent callers, and answers all of them", async () => {
  const watches = await Promise.all([1, 2, 3, 4].map(() => watchBooks(kit.services.db)));
  expect(watches.map(({ checked }) => checked).sort()).toEqual([
    "everything",
    "nothing",
    "nothing",
    "nothing",
  ]);
  await query("UPDATE batches SET value = value + 1");
  const { faults } = await aMinuteLater();
  expect(faults.length).toBeGreaterThan(0);
  expect(await watchBooks(kit.services.db)).toEqual({ checked: "nothing", faults });
});

it("releases its lock when the check fails", async () => {
  await query("ALTER TABLE ledger_months RENAME TO months_elsewhere");
  await expect(watchBooks(kit.services.db)).rejects.toThrow("ledger_months");
  await query("ALTER TABLE months_elsewhere RENAME TO ledger_months");
  expect(await watchBooks(kit.services.db)).toEqual({ checked: "everything", faults: [] });
});

it("discards a check whose lock expired before it ended", async () => {
  const blocker = await kit.services.db.pool.connect();
  await blocker.query("BEGIN");
  await blocker.query("LOCK TABLE ledger_months");
  const watch = watchBooks(kit.services.db);
  await vi.waitFor(async () => {
    const { rows } = await query(
      "SELECT FROM pg_locks WHERE relation = 'ledger_months'::regclass AND NOT granted",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
  await query("UPDATE books_checks SET claimed_until = NULL");
  await blocker.query("COMMIT");
  blocker.release();
  expect(await watch).toEqual({ checked: "nothing", faults: [] });
  const { rows } = await query(
    "SELECT checked_at, horizon, (SELECT count(*)::int FROM books_positions) AS positions FROM books_checks",
  );
  expect(rows).toEqual([{ checked_at: null, horizon: null, positions: 0 }]);
  expect(await watchBooks(kit.services.db)).toEqual({ checked: "everything", faults: [] });
});

it("checks everything while there is a fault, until it is corrected", async () => {
  await watchBooks(kit.services.db);
  await query("UPDATE batches SET payments_count = payments_count + 1");
  expect(await aMinuteLater()).toMatchObject({ checked: "recent", faults: [{}] });
  expect(await aMinuteLater()).toMatchObject({ checked: "everything", faults: [{}] });
  await query("UPDATE batches SET payments_count = payments_count - 1");
  expect(await aMinuteLater()).toEqual({ checked: "everything", faults: [] });
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
});

it("finds an old row that was changed outside the product only in the hourly check", async () => {
  await watchBooks(kit.services.db);
  await query("UPDATE ledger_entries SET amount = amount + 1 WHERE account = 'reserved' AND seq = 1");
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
  const { checked, faults } = await anHourLater();
  expect(checked).toBe("everything");
  expect(faults[0]?.rule).toBe("the entries of a transaction sum to zero");
});

it("starts over if the server's transaction numbers restarted, as after a restore", async () => {
  await watchBooks(kit.services.db);
  await query("UPDATE books_checks SET horizon = horizon + 1000000");
  expect(await aMinuteLater()).toEqual({ checked: "everything", faults: [] });
});

describe("a wrong row since the last check", () => {
  const newest =
    "WHERE account = 'available' AND seq = (SELECT max(seq) FROM ledger_entries WHERE account = 'available')";
  it.each([
    ["the entries of a transaction sum to zero", `UPDATE ledger_entries SET amount = amount - 1 ${newest}`],
    [
      "an entry belongs to a transaction",
      "ALTER TABLE ledger_transactions DISABLE TRIGGER ALL; DELETE FROM ledger_transactions WHERE cause LIKE 'close:%'",
    ],
    [
      "each entry's balance follows from the one before, and time never goes back",
      `UPDATE ledger_entries SET balance_after = balance_after + 1 ${newest}`,
    ],
    [
      "each entry's balance follows from the one before, and time never goes back",
      `UPDATE ledger_entries SET at = at - interval '1 year' ${newest}`,
    ],
    ["an account's balance and count are those of its entries", `DELETE FROM ledger_entries ${newest}`],
    [
      "an account's balance and count are those of its entries",
      "UPDATE ledger_accounts SET balance = balance + 1 WHERE account = 'available'",
    ],
    ["month counters are the sums of their entries", "UPDATE ledger_months SET entries = entries + 1"],
    ["a batch's value and counts equal its payments", "UPDATE batches SET value = value + 1"],
    ["the account reserved equals the reservations of all batches", "UPDATE batches SET reserved_value = 1"],
    [
      "each payment made is posted once, to the centavo",
      "UPDATE ledger_transactions SET cause = 'x' || cause WHERE cause LIKE 'paid:%'",
    ],
    [
      knownPostingRule,
      "UPDATE transfers SET end_to_end_id = 'x' || end_to_end_id WHERE end_to_end_id IS NOT NULL",
    ],
    [
      "a draft has no payment under way, and a paid batch has no other",
      `${byForce}UPDATE batches SET status = 'DRAFT'`,
    ],
  ])("is reported: %s (%s)", async (rule, harm) => {
    await watchBooks(kit.services.db);
    await paidFor(kit, [pix(7_00)]);
    await kit.pass({ seconds: 5 });
    await query(harm);
    const { checked, faults } = await aMinuteLater();
    expect(checked).toBe("recent");
    expect(faults.map((fault) => fault.rule)).toContain(rule);
  });

  const posted = async (movement: Pick<Movement, "cause" | "from" | "to">) => {
    const movements = [{ type: "DEPOSIT" as const, amount: 5_00, description: "Pix recebido", ...movement }];
    const { db, clock } = kit.services;
    expect(await db.withCompany(auroraId, (tx) => post(tx, clock.now(), movements))).toBe(true);
  };
  const rulesOf = ({ faults }: Awaited<ReturnType<typeof watchBooks>>) => faults.map(({ rule }) => rule);
  const other = "01990000-0000-7000-8000-00000000dead";

  it.each([
    ["x:1", "payouts", "available"],
    ["returned:E99", "payouts", "available"],
    [`refund:${other}`, "reserved", "available"],
    [`cancel:${other}`, "reserved", "available"],
    [`close:${other}:1`, "available", "reserved"],
    [`withdraw:${other}`, "available", "reserved"],
    [`micro-deposit:${other}`, "available", "reserved"],
    ["paid:E99", "reserved", "payouts"],
    ["pix:D1", "pix_in", "available"],
    [`pix:${other}`, "pix_in", "available"],
    ["ted:x", "ted_in", "available"],
    ["boleto:x", "boleto_in", "available"],
    [`payin-refund:${other}`, "available", "pix_in"],
    [`payin-refund-failed:${other}`, "pix_in", "available"],
    [`block:${other}`, "available", "blocked"],
    [`card:${other}`, "card_in", "available"],
    [`card-again:${other}:${other}`, "card_in", "available"],
    [`card-back:${other}:${other}`, "available", "card_in"],
    [`card-fee:${other}`, "available", "fees"],
    [`card-fee-back:${other}:${other}`, "fees", "available"],
  ] as const)("is reported: a posting %s from %s to %s that belongs to no row", async (cause, from, to) => {
    await paidFor(kit, [pix(7_00)]);
    await watchBooks(kit.services.db);
    await posted({ cause, from, to });
    expect(rulesOf(await aMinuteLater())).toContain(knownPostingRule);
    expect(rulesOf(await anHourLater())).toContain(knownPostingRule);
  });

  it("is reported: another amount under the cause of a row, from accounts that the cause does not move", async () => {
    const { rows } = await query("SELECT id FROM transfers WHERE end_to_end_id IS NOT NULL LIMIT 1");
    await watchBooks(kit.services.db);
    await posted({ cause: `withdraw:${rows[0].id}`, from: "payouts", to: "available" });
    const rules = [knownPostingRule, "what left is what arrived"];
    expect(rulesOf(await aMinuteLater())).toEqual(expect.arrayContaining(rules));
    expect(rulesOf(await anHourLater())).toEqual(expect.arrayContaining(rules));
  });
});
