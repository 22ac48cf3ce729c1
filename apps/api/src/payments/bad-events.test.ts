/** An event that cannot be applied delays no other, and a person is notified of it. */
import { listPayins } from "@malote/contracts/payins";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { PaymentEvent } from "../ports/rails.ts";
import {
  auroraId,
  auroraKey,
  batch,
  fetchBalance,
  fetchStatement,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
} from "../testing/payments-kit.ts";
import { deadLetterEvents } from "./dead-letters.ts";
import { countDeadLetters, handleEvents, retryDeadLetters } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const receive = (events: readonly unknown[]) => handleEvents(kit.services, events as PaymentEvent[]);

async function deadLetters(): Promise<{ why: string; detail: string; payload: string; tries: number }[]> {
  const { rows } = await kit.services.db.withSystem((tx) =>
    sql<{ why: string; detail: string; payload: string; tries: number }>`
      SELECT why, detail, payload, tries FROM rail_dead_letters ORDER BY why, event_id
    `.execute(tx),
  );
  return rows;
}

/** A sent batch, and the events that the network would deliver about it. */
async function batchWithEvents(count: number): Promise<{ id: string; events: PaymentEvent[] }> {
  const id = await paidFor(
    kit,
    Array.from({ length: count }, () => pix(1_00)),
  );
  await kit.drainJobs();
  kit.clock.advance({ seconds: 1 });
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ payload: PaymentEvent }>`
      SELECT payload FROM sandbox.events WHERE payload ->> 'kind' = 'settled' ORDER BY id
    `.execute(tx),
  );
  return { id, events: rows.map((row) => row.payload) };
}

/** Makes the ledger refuse this payment from now on; returns the function that repairs it. */
async function breakThe(event: PaymentEvent | undefined): Promise<() => Promise<unknown>> {
  const { pool } = kit.services.db;
  await pool.query(
    `ALTER TABLE ledger_transactions ADD CONSTRAINT broken CHECK (cause <> 'paid:${event?.endToEndId}')`,
  );
  return () => pool.query("ALTER TABLE ledger_transactions DROP CONSTRAINT broken");
}

it("applies a block of 500 although one of them fails, and stores that one as a dead letter", async () => {
  const { id, events } = await batchWithEvents(500);
  const repair = await breakThe(events[333]);
  await receive(events);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "RECEIVED", paid_count: 499 });
  expect(await deadLetters()).toMatchObject([{ why: "failed", tries: 1 }]);
  const [kept] = await deadLetters();
  expect(JSON.parse(kept?.payload ?? "")).toEqual(events[333]);
  await countDeadLetters(kit.services);
  expect((await deadLetterEvents.get()).values[0]?.value).toBe(1);

  // The clock retries it after ever longer pauses, and it is applied once the cause is corrected.
  await retryDeadLetters(kit.services);
  expect(await deadLetters()).toMatchObject([{ tries: 1 }]);
  kit.clock.advance({ minutes: 1 });
  await retryDeadLetters(kit.services);
  await retryDeadLetters(kit.services);
  expect(await deadLetters()).toMatchObject([{ tries: 2 }]);
  await repair();
  kit.clock.advance({ minutes: 2 });
  await retryDeadLetters(kit.services);
  expect(await deadLetters()).toEqual([]);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 500 });
  await receive(events);
  expect(await kit.faults()).toEqual([]);
});

it("stores an unreadable event as a dead letter once, and applies the rest", async () => {
  const { id, events } = await batchWithEvents(2);
  const [first, second] = events;
  const unreadable = [
    null,
    "settled",
    {},
    { ...first, kind: "exploded" },
    { ...first, id: 7 },
    { ...first, at: "yesterday" },
    { ...first, companyId: "'; DROP TABLE transfers" },
    { ...first, kind: "failed", reason: "nothing\u0000here" },
    { ...first, kind: "pix_received", pixKey: "a", value: 0.5, payer: {}, message: null },
  ];
  await receive([...unreadable, first, ...unreadable, second]);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED"]);
  const kept = await deadLetters();
  expect(kept.map(({ why, tries }) => [why, tries])).toEqual(unreadable.map(() => ["unreadable", 2]));
  expect(kept.map(({ payload }) => payload).sort()).toEqual(
    unreadable.map((one) => JSON.stringify(one)).sort(),
  );
});

it("stores events of unknown payments, of unknown companies and against the books as dead letters, and applies the rest", async () => {
  const { id, events } = await batchWithEvents(3);
  const [first, second, third] = events;
  const at = kit.clock.now().toISOString();
  const nobodys = { id: "n", kind: "settled", endToEndId: "E0", companyId: auroraId, at, final: true };
  const ofNobody = { ...nobodys, id: "c", companyId: "01990000-0000-7000-8000-00000000ffff" };
  const tooLate = {
    id: "f",
    kind: "failed",
    endToEndId: second?.endToEndId,
    companyId: auroraId,
    at,
    reason: "tarde",
  };
  await receive([first, nobodys, second, ofNobody, tooLate, third]);
  await receive([nobodys, tooLate, ofNobody]);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
  expect((await deadLetters()).map(({ why, detail }) => `${why}: ${detail}`)).toEqual([
    "contradiction: failed, but the payment is FINISHED",
    "contradiction: no payment has this id",
    expect.stringMatching(/^failed: .*foreign key/),
  ]);
  expect(await kit.faults()).not.toEqual([]);
  await kit.services.db.pool.query("DELETE FROM rail_events WHERE event_id IN ('n', 'f')");
});

it("stores no dead letter for a temporary failure: the network gets an error and delivers again", async () => {
  const { id, events } = await batchWithEvents(3);
  const { withCompany } = kit.services.db;
  kit.services.db.withCompany = () =>
    Promise.reject(Object.assign(new Error("shutting down"), { code: "57P01" }));
  await expect(receive(events)).rejects.toThrow("shutting down");
  kit.services.db.withCompany = withCompany;
  expect(await deadLetters()).toEqual([]);
  await receive(events);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 3 });
});

it("stores a Pix that cannot be posted as a dead letter, counts it, and posts it once the cause is corrected", async () => {
  const at = kit.clock.now().toISOString();
  const payer = {
    name: "Ana",
    bank: null,
    agency: null,
    account: null,
    accountDigit: null,
    accountType: null,
    document: null,
  };
  const pixTo = (pixKey: string, value: number, n: number) => ({
    kind: "pix_received",
    id: `pix ${n}`,
    endToEndId: `E0000000020260812120000000000${String(n).padStart(3, "0")}`,
    at,
    pixKey,
    value,
    payer,
    message: null,
  });
  const before = await fetchBalance(kit.admin);
  const good = pixTo(auroraKey, 5_00, 3);
  // The amount exceeds what the books can hold together with the present balance.
  const given = [good, pixTo(auroraKey, Number.MAX_SAFE_INTEGER, 1), pixTo("ninguem@nada.example", 1_00, 2)];
  await receive(given);
  // The network redelivers events without an answer: each is a dead letter once.
  await receive(given);
  expect(await fetchBalance(kit.admin)).toBe(before + 5_00);
  const kept = await deadLetters();
  expect(kept.map(({ why, tries }) => [why, tries])).toEqual([
    ["failed", 2],
    ["failed", 2],
  ]);
  await countDeadLetters(kit.services);
  expect((await deadLetterEvents.get()).values[0]?.value).toBe(2);
  await kit.services.db.pool.query("UPDATE pix_keys SET key = 'ninguem@nada.example' WHERE key = $1", [
    auroraKey,
  ]);
  kit.clock.advance({ minutes: 5 });
  await retryDeadLetters(kit.services);
  expect(await fetchBalance(kit.admin)).toBe(before + 6_00);
  expect(await deadLetters()).toHaveLength(1);
  await kit.services.db.pool.query("UPDATE pix_keys SET key = $1 WHERE key = 'ninguem@nada.example'", [
    auroraKey,
  ]);
});

it("reads an instant of any offset, and stores one of an impossible year as unreadable", async () => {
  const deposit = (id: string, at: string) => ({
    kind: "pix_received",
    id,
    endToEndId: `E00000000202608121200000000000${id}`,
    at,
    pixKey: auroraKey,
    value: 5_00,
    payer: null,
    message: null,
  });
  const payer = {
    name: "Ana",
    bank: null,
    agency: null,
    account: null,
    accountDigit: null,
    accountType: null,
    document: null,
  };
  await receive([
    { ...deposit("01", "2026-08-12T09:00:00-03:00"), payer },
    { ...deposit("02", "9999-12-31T23:59:59Z"), payer },
    { ...deposit("03", "1999-12-31T23:59:59Z"), payer },
  ]);
  const [entry, ...others] = (await fetchStatement(kit.admin)).entries;
  expect(entry.complement.timestamp).toBe("2026-08-12T12:00:00.000Z");
  expect(others).toEqual([]);
  expect((await deadLetters()).map(({ why }) => why)).toEqual(["unreadable", "unreadable"]);
  expect((await kit.admin.call(listPayins, { query: { page: "1" } })).status).toBe(200);
  // Earlier releases stored the dead letter in this form.
  await kit.services.db.pool.query("ALTER TABLE ledger_transactions DISABLE TRIGGER USER");
  await kit.services.db.pool.query(
    `UPDATE ledger_transactions SET complement = jsonb_set(complement, '{timestamp}', '"2026-08-12T09:00:00-03:00"')`,
  );
  await kit.services.db.pool.query("ALTER TABLE ledger_transactions ENABLE TRIGGER USER");
  expect((await fetchStatement(kit.admin)).entries[0].complement.timestamp).toBe("2026-08-12T12:00:00.000Z");
});
