import { readBalance, readStatement } from "@malote/contracts/statement";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildTestApp, type Person, type TestApp, testClock } from "../testing/app.ts";
import { faultsOfLedger } from "../testing/ledger-kit.ts";
import { companyId, endOfOctober, statementCalls } from "../testing/statement-kit.ts";

let app: TestApp;
let helena: Person;
let marcos: Person;
beforeEach(async () => {
  app = await buildTestApp({
    clock: testClock(new Date(endOfOctober)),
  });
  [helena, marcos] = await Promise.all([app.as("helena@aurora.example"), app.as("marcos@horizonte.example")]);
});
afterEach(async () => {
  expect(await faultsOfLedger(app.services.db)).toEqual([]);
  await app.close();
});

const { move, deposit, read } = statementCalls(
  () => app,
  () => helena,
);

const withdraw = (at: string, amount: number) =>
  move(at, [{ type: "WITHDRAW", from: "available", to: "payouts", amount, description: "Saque" }]);

describe("the statement of a period", () => {
  it("refuses callers without a session, and invalid periods", async () => {
    const period = { initialDate: "2026-10-01", endDate: "2026-10-31" };
    expect((await app.call(readStatement, { query: period })).status).toBe(401);
    for (const query of [
      { ...period, endDate: "2026-09-30" },
      { ...period, endDate: "2026-02-30" },
      { ...period, endDate: "9999-12-31" },
      { ...period, initialDate: "0001-01-01" },
      { ...period, initialDate: "01/10/2026" },
      { endDate: "2026-10-31" },
      { ...period, page: "0" },
      { ...period, page: "x" },
      { ...period, page: "1.5" },
    ]) {
      expect(await helena.call(readStatement, { query })).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    }
  });

  it("STM-006 STM-017 has balances and no pages without entries", async () => {
    expect(await read("2026-10-01", "2026-10-31")).toEqual({
      entries: [],
      prevBalance: { date: "2026-10-01", value: 0 },
      afterBalance: { date: "2026-10-31", value: 0 },
      totals: { in: 0, out: 0 },
      metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
    });
    await deposit("2026-10-10T12:00:00Z", 70_00);
    expect(await read("2026-12-01", "2026-12-31")).toMatchObject({
      entries: [],
      prevBalance: { value: 70_00 },
      afterBalance: { value: 70_00 },
      totals: { in: 0, out: 0 },
    });
    expect(await read("2026-09-01", "2026-09-30")).toMatchObject({
      entries: [],
      prevBalance: { value: 0 },
      afterBalance: { value: 0 },
    });
  });

  it("STM-016 STM-017 ends a month at midnight in São Paulo, not in UTC", async () => {
    await deposit("2026-10-15T12:00:00Z", 1_000_00);
    await withdraw("2026-11-01T02:59:59Z", 300_00);
    await deposit("2026-11-01T03:00:00Z", 50_00);
    const october = await read("2026-10-01", "2026-10-31");
    expect(october).toMatchObject({
      prevBalance: { date: "2026-10-01", value: 0 },
      afterBalance: { date: "2026-10-31", value: 700_00 },
      totals: { in: 1_000_00, out: 300_00 },
      metadata: { pagination: { totalItems: 2 } },
    });
    expect(october.entries.map(({ date, type, value, balance }) => [date, type, value, balance])).toEqual([
      ["2026-10-31", "WITHDRAW", -300_00, 700_00],
      ["2026-10-15", "DEPOSIT", 1_000_00, 1_000_00],
    ]);
    const november = await read("2026-11-01", "2026-11-30");
    expect(november).toMatchObject({
      prevBalance: { value: 700_00 },
      afterBalance: { value: 750_00 },
      totals: { in: 50_00, out: 0 },
    });
    expect(november.entries).toMatchObject([
      {
        date: "2026-11-01",
        value: 50_00,
        balance: 750_00,
        complement: { timestamp: "2026-11-01T03:00:00.000Z" },
      },
    ]);
    expect((await read("2026-10-31", "2026-10-31")).entries).toHaveLength(1);
    const ids = [...october.entries, ...november.entries].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it("STM-007 pages begin with the newest, without gap or repetition, and are empty after the end", async () => {
    await move(
      "2026-10-10T12:00:00Z",
      Array.from({ length: 120 }, (_, n) => ({ amount: n + 1 })),
    );
    const pages = await Promise.all(
      [1, 2, 3, 4, 1_000_001].map((page) => read("2026-10-01", "2026-10-31", page)),
    );
    expect(pages.map((page) => page.entries.length)).toEqual([50, 50, 20, 0, 0]);
    expect(pages.flatMap((page) => page.entries.map((entry) => entry.value))).toEqual(
      Array.from({ length: 120 }, (_, n) => 120 - n),
    );
    for (const { totals, prevBalance, afterBalance, metadata } of pages) {
      expect({ totals, prevBalance, afterBalance, metadata }).toEqual({
        totals: { in: 7_260, out: 0 },
        prevBalance: { date: "2026-10-01", value: 0 },
        afterBalance: { date: "2026-10-31", value: 7_260 },
        metadata: { pagination: { itemsPerPage: 50, totalItems: 120 } },
      });
    }
  });

  it("never shows an entry of another period on a page", async () => {
    await move(
      "2026-10-31T12:00:00Z",
      Array.from({ length: 60 }, () => ({})),
    );
    await move(
      "2026-11-01T12:00:00Z",
      Array.from({ length: 60 }, () => ({})),
    );
    for (const [from, to] of [
      ["2026-10-01", "2026-10-31"],
      ["2026-11-01", "2026-11-30"],
    ] as const) {
      for (const page of [1, 2]) {
        for (const entry of (await read(from, to, page)).entries)
          expect(entry.date >= from && entry.date <= to).toBe(true);
      }
    }
    expect((await read("2026-10-01", "2026-10-31", 2)).entries).toHaveLength(10);
  });

  it("does not show one company's money to another", async () => {
    await deposit("2026-10-10T12:00:00Z", 70_00);
    expect(await read("2026-10-01", "2026-10-31", 1, marcos)).toMatchObject({
      entries: [],
      afterBalance: { value: 0 },
      totals: { in: 0 },
    });
    expect((await marcos.call(readBalance)).body).toEqual({ value: 0, waiting_value: 0 });
  });
});

describe("sums of any period", () => {
  /** The generator is deterministic, so that a failure can be repeated. */
  function chance(seed: number) {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  it("STM-008 STM-017 opening + in − out = closing, running balances and numbers without gaps, for random postings and periods", async () => {
    const draw = chance(20_261_101);
    let at = Date.parse("2026-07-20T12:00:00Z");
    const model: { at: number; value: number; balance: number }[] = [];
    let balance = 0;
    for (let n = 0; n < 60; n++) {
      // Times fall often in the last or first second of a day, sometimes together, sometimes before the previous one.
      at += [0, 1_000, 3_600_000, 40 * 3_600_000][draw(4)] ?? 0;
      if (draw(4) === 0)
        at = Math.floor((at - 3 * 3_600_000) / 86_400_000 + 1) * 86_400_000 + 3 * 3_600_000 - draw(2) * 1_000;
      const count = 1 + draw(5);
      const movements = Array.from({ length: count }, () =>
        draw(3) === 0 ? -(1 + draw(5_000)) : 1 + draw(9_000),
      );
      const requested = movements.map((value) =>
        value > 0
          ? { amount: value }
          : { type: "WITHDRAW" as const, from: "available" as const, to: "payouts" as const, amount: -value },
      );
      const isPosted = await move(new Date(at - draw(2) * 500), requested);
      const short = movements.reduce<{ sum: number; least: number }>(
        ({ sum, least }, value) => ({ sum: sum + value, least: Math.min(least, sum + value) }),
        { sum: balance, least: balance },
      ).least;
      expect(isPosted).toBe(short >= 0);
      if (!isPosted) continue;
      for (const value of movements) {
        balance += value;
        model.push({ at: 0, value, balance });
      }
    }
    const stored = await app.services.db.withCompany(companyId, (tx) =>
      sql<{
        seq: number;
        at: Date;
      }>`SELECT seq, at FROM ledger_entries WHERE company_id = ${companyId} AND account = 'available' ORDER BY seq`.execute(
        tx,
      ),
    );
    expect(stored.rows.map((row) => row.seq)).toEqual(model.map((_, n) => n + 1));
    for (const [n, row] of stored.rows.entries()) (model[n] as { at: number }).at = row.at.getTime();

    const dayOf = (ms: number) => new Date(ms - 3 * 3_600_000).toISOString().slice(0, 10);
    const first = Date.parse("2026-07-10T12:00:00Z");
    for (let n = 0; n < 40; n++) {
      const from = first + draw(120) * 86_400_000;
      const period =
        n % 4 === 0
          ? ([`2026-${String(7 + draw(5)).padStart(2, "0")}-01`, "2026-12-31"] as const)
          : ([dayOf(from), dayOf(from + draw(100) * 86_400_000)] as const);
      const inside = model.filter((entry) => dayOf(entry.at) >= period[0] && dayOf(entry.at) <= period[1]);
      const before = model.findLast((entry) => dayOf(entry.at) < period[0])?.balance ?? 0;
      const sum = (list: number[]) => list.reduce((total, value) => total + value, 0);
      const page = await read(period[0], period[1]);
      expect({
        period,
        ...page,
        entries: page.entries.map(({ value, balance }) => ({ value, balance })),
      }).toEqual({
        period,
        entries: inside
          .slice(-50)
          .reverse()
          .map(({ value, balance }) => ({ value, balance })),
        prevBalance: { date: period[0], value: before },
        afterBalance: { date: period[1], value: inside.at(-1)?.balance ?? before },
        totals: {
          in: sum(inside.map((entry) => Math.max(entry.value, 0))),
          out: sum(inside.map((entry) => Math.max(-entry.value, 0))),
        },
        metadata: { pagination: { itemsPerPage: 50, totalItems: inside.length } },
      });
    }
  });

  it("always adds up, also when it is read while money moves", async () => {
    await deposit("2026-10-10T12:00:00Z", 1_000_00);
    let moving = true;
    const mover = (async () => {
      for (let n = 0; n < 60; n++)
        await move("2026-10-11T12:00:00Z", [
          { amount: n + 1 },
          { type: "WITHDRAW", from: "available", to: "payouts", amount: n + 1 },
        ]);
      moving = false;
    })();
    let reads = 0;
    while (moving) {
      const page = await read("2026-10-01", "2026-10-31");
      expect(page.prevBalance.value + page.totals.in - page.totals.out).toBe(page.afterBalance.value);
      expect(page.entries[0]?.balance).toBe(page.afterBalance.value);
      expect(page.totals.in - 1_000_00).toBe(page.totals.out);
      reads++;
    }
    await mover;
    expect(reads).toBeGreaterThan(3);
  });
});
