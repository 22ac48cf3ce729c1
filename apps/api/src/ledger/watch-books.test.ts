/** The check of the minute: what it looks at, what it leaves to the hour, and that one worker makes it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPayments, type PaymentsKit, paidFor, pix } from "../testing/payments-kit.ts";
import { watchBooks } from "./watch-books.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
  await paidFor(kit, [pix(10_00), pix(20_00)]);
  await kit.pass({ seconds: 5 });
});
// Some tests leave the books broken on purpose, which is what they are about.
afterEach(() => kit.close().catch((error: Error) => expect(error.message).toContain("books are not clean")));

const query = (text: string) => kit.parts.db.pool.query(text);
const aMinuteLater = async () => {
  await query("UPDATE books_checks SET checked_at = checked_at - interval '1 minute'");
  return watchBooks(kit.parts.db);
};
const anHourLater = async () => {
  await query("UPDATE books_checks SET checked_fully_at = checked_fully_at - interval '2 hours'");
  return aMinuteLater();
};

it("looks at everything first, then at what came since", async () => {
  expect(await watchBooks(kit.parts.db)).toEqual({ checked: "everything", faults: [] });
  await paidFor(kit, [pix(7_00)]);
  await kit.pass({ seconds: 5 });
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
  expect(await anHourLater()).toEqual({ checked: "everything", faults: [] });
});

it("is made by one of those who come at once, and told to the others", async () => {
  const watches = await Promise.all([1, 2, 3, 4].map(() => watchBooks(kit.parts.db)));
  expect(watches.map(({ checked }) => checked).sort()).toEqual([
    "everything",
    "nothing",
    "nothing",
    "nothing",
  ]);
  await query("UPDATE batches SET value = value + 1");
  const { faults } = await aMinuteLater();
  expect(faults.length).toBeGreaterThan(0);
  expect(await watchBooks(kit.parts.db)).toEqual({ checked: "nothing", faults });
});

it("gives its turn back when it could not look", async () => {
  await query("ALTER TABLE ledger_months RENAME TO months_elsewhere");
  await expect(watchBooks(kit.parts.db)).rejects.toThrow("ledger_months");
  await query("ALTER TABLE months_elsewhere RENAME TO ledger_months");
  expect(await watchBooks(kit.parts.db)).toEqual({ checked: "everything", faults: [] });
});

it("looks at everything while something is wrong, until it is right again", async () => {
  await watchBooks(kit.parts.db);
  await query("UPDATE batches SET value = value + 1");
  expect(await aMinuteLater()).toMatchObject({ checked: "recent", faults: [{}] });
  expect(await aMinuteLater()).toMatchObject({ checked: "everything", faults: [{}] });
  await query("UPDATE batches SET value = value - 1");
  expect(await aMinuteLater()).toEqual({ checked: "everything", faults: [] });
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
});

it("leaves an old row changed behind the product's back to the hour", async () => {
  await watchBooks(kit.parts.db);
  await query("UPDATE ledger_entries SET amount = amount + 1 WHERE account = 'available' AND seq = 1");
  expect(await aMinuteLater()).toEqual({ checked: "recent", faults: [] });
  const { checked, faults } = await anHourLater();
  expect(checked).toBe("everything");
  expect(faults[0]?.rule).toBe("the entries of a transaction sum to zero");
});

it("begins anew where the server counts its transactions anew, as after a restore", async () => {
  await watchBooks(kit.parts.db);
  await query("UPDATE books_checks SET horizon = horizon + 1000000");
  expect(await aMinuteLater()).toEqual({ checked: "everything", faults: [] });
});

describe("what came since, when it is wrong", () => {
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
    ["a batch's value and counts are those of its payments", "UPDATE batches SET value = value + 1"],
    ["what is reserved is what the batches hold", "UPDATE batches SET reserved_value = 1"],
    [
      "each payment that was made is in the books once, to the centavo",
      "UPDATE ledger_transactions SET cause = 'x' || cause WHERE cause LIKE 'paid:%'",
    ],
    [
      "no payment is in the books that was not made",
      "UPDATE transfers SET end_to_end_id = 'x' || end_to_end_id WHERE end_to_end_id IS NOT NULL",
    ],
    [
      "a draft holds no payment on its way, and a paid batch none that is not",
      "UPDATE batches SET status = 'DRAFT'",
    ],
  ])("is named: %s (%s)", async (rule, harm) => {
    await watchBooks(kit.parts.db);
    await paidFor(kit, [pix(7_00)]);
    await kit.pass({ seconds: 5 });
    await query(harm);
    const { checked, faults } = await aMinuteLater();
    expect(checked).toBe("recent");
    expect(faults.map((fault) => fault.rule)).toContain(rule);
  });
});
