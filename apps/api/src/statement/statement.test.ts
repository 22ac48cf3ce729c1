import { createBatch } from "@malote/contracts/batches";
import { readBalance, readStatement, type StatementEntry } from "@malote/contracts/statement";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../ledger/check-books.ts";
import { type Movement, post } from "../ledger/index.ts";
import { handleEvents } from "../payments/index.ts";
import type { RailEvent } from "../ports/rails.ts";
import { buildTestApp, type Person, type TestApp, testClock } from "../testing/app.ts";

let app: TestApp;
let helena: Person;
let ana: Person;
let marcos: Person;
const companyId = demoCompanies[0]?.id ?? "";
/** The last minutes of October in São Paulo, which in UTC are November already. */
const endOfOctober = "2026-11-01T02:50:00Z";

beforeEach(async () => {
  app = await buildTestApp({
    clock: testClock(new Date(endOfOctober)),
  });
  [helena, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterEach(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

let causes = 0;
const move = (at: string | Date, movements: Partial<Movement>[]) =>
  app.services.db.withCompany(companyId, (tx) =>
    post(
      tx,
      new Date(at),
      movements.map((movement) => ({
        type: "DEPOSIT" as const,
        cause: `test:${++causes}`,
        from: "pix_in" as const,
        to: "available" as const,
        amount: 100,
        description: "Pix recebido",
        ...movement,
      })),
    ),
  );
const deposit = (at: string, amount: number) => move(at, [{ amount }]);
const withdraw = (at: string, amount: number) =>
  move(at, [{ type: "WITHDRAW", from: "available", to: "payouts", amount, description: "Saque" }]);

interface Page {
  entries: StatementEntry[];
  prevBalance: { date: string; value: number };
  afterBalance: { date: string; value: number };
  totals: { in: number; out: number };
  metadata: { pagination: { itemsPerPage: number; totalItems: number } };
}
async function read(initialDate: string, endDate: string, page = 1, person = helena): Promise<Page> {
  const answer = await person.call(readStatement, { query: { initialDate, endDate, page: String(page) } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

describe("the statement of a period", () => {
  it("refuses who is not signed in, and periods that are none", async () => {
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

  it("STM-006 STM-017 a period without entries has its balances and no pages", async () => {
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

  it("STM-016 STM-017 a month ends at midnight in São Paulo, not in UTC", async () => {
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
  });

  it("STM-007 pages go from the newest back, whole, without gap or repetition, and past the end there is nothing", async () => {
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

  it("a page of one period never holds an entry of another", async () => {
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

describe("figures that must agree whatever the period", () => {
  /** Deterministic, so that a failure can be run again. */
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
      // Often in the last or first second of a day, sometimes many at one instant, sometimes "earlier" than the last.
      at += [0, 1_000, 3_600_000, 40 * 3_600_000][draw(4)] ?? 0;
      if (draw(4) === 0)
        at = Math.floor((at - 3 * 3_600_000) / 86_400_000 + 1) * 86_400_000 + 3 * 3_600_000 - draw(2) * 1_000;
      const count = 1 + draw(5);
      const movements = Array.from({ length: count }, () =>
        draw(3) === 0 ? -(1 + draw(5_000)) : 1 + draw(9_000),
      );
      const asked = movements.map((value) =>
        value > 0
          ? { amount: value }
          : { type: "WITHDRAW" as const, from: "available" as const, to: "payouts" as const, amount: -value },
      );
      const isPosted = await move(new Date(at - draw(2) * 500), asked);
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

  it("a statement read while money moves always adds up", async () => {
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

describe("what an entry shows", () => {
  const received = (
    changes: Partial<Extract<RailEvent, { kind: "pix_received" }>> = {},
  ): Extract<RailEvent, { kind: "pix_received" }> => ({
    id: "event-1",
    kind: "pix_received",
    endToEndId: "E9999959320261031235000000000001",
    at: "2026-11-01T02:49:58.000Z",
    pixKey: "financeiro@aurora.example",
    value: 123_45,
    payer: {
      name: "Bruno Reis",
      document: "12345678909",
      bank: "Itaú Unibanco",
      agency: "1234",
      account: "56789",
      accountDigit: "0",
      accountType: "CONTA_CORRENTE",
    },
    message: "Nota 12",
    ...changes,
  });

  it("STM-009 STM-018 STM-019 a deposit shows its payer, with the CPF masked, and counts once however often it is delivered", async () => {
    await handleEvents(app.services, [received(), received()]);
    await handleEvents(app.services, [received({ id: "event-2" })]);
    expect((await ana.call(readBalance)).body).toEqual({ value: 123_45, waiting_value: 0 });
    const { entries } = await read("2026-10-31", "2026-10-31", 1, ana);
    expect(entries).toMatchObject([
      {
        type: "DEPOSIT",
        description: "Pix recebido de Bruno Reis",
        value: 123_45,
        date: "2026-10-31",
        complement: {
          timestamp: "2026-11-01T02:49:58.000Z",
          bank: "Itaú Unibanco",
          isPix: true,
          isTed: false,
          end_to_end_id: "E9999959320261031235000000000001",
          message: "Nota 12",
          payer: {
            name: "Bruno Reis",
            document: "***.456.789-**",
            agency: "1234",
            account: "56789",
            account_digit: "0",
            account_type: "CONTA_CORRENTE",
          },
        },
      },
    ]);
    expect(app.enqueued.filter((job) => job.queue === "pay-waiting-batches").length).toBeGreaterThan(0);
  });

  it("decision 15 shows a company's CNPJ whole and a person without a document as such", async () => {
    const { payer } = received();
    await handleEvents(app.services, [
      received({ payer: { ...payer, document: "12ABC34501DE35" } }),
      received({
        id: "event-2",
        endToEndId: "E9999959320261031235000000000002",
        payer: { ...payer, document: null },
      }),
    ]);
    const { entries } = await read("2026-10-31", "2026-10-31");
    expect(entries.map((entry) => entry.complement.payer?.document)).toEqual([null, "12.ABC.345/01DE-35"]);
  });

  it("SHL-003 names our institution by no brand, also in entries written under its former name", async () => {
    const { payer } = received();
    await handleEvents(app.services, [received({ payer: { ...payer, bank: "Malote IP" } })]);
    const { entries } = await read("2026-10-31", "2026-10-31");
    expect(entries.map(({ complement }) => complement.bank)).toEqual(["Mesa Pagamentos IP"]);
    expect(JSON.stringify(entries)).not.toMatch(/malote/i);
  });

  it("a Pix for a key that nobody here holds moves nothing, and is kept as a dead letter for a person to look at", async () => {
    await handleEvents(app.services, [received({ pixKey: "de-outro@exemplo.com.br" })]);
    expect((await helena.call(readBalance)).body.value).toBe(0);
    const { rows } = await app.services.db.pool.query("SELECT why, detail FROM rail_dead_letters");
    expect(rows).toEqual([{ why: "failed", detail: expect.stringContaining("nobody here holds") }]);
  });

  it("STM-013 entries of a batch and of a refund lead to the batch", async () => {
    const { body: batch } = await helena.call(createBatch, { body: { name: "Folha" } });
    await deposit("2026-10-10T12:00:00Z", 500_00);
    await move("2026-10-11T12:00:00Z", [
      {
        type: "BATCH",
        from: "available",
        to: "reserved",
        amount: 200_00,
        description: "Lote Folha",
        complement: { batch_id: batch.id },
      },
      {
        type: "REFUND",
        from: "reserved",
        to: "available",
        amount: 200_00,
        description: "Devolução: conta encerrada",
        complement: { batch_id: batch.id, transfer_id: crypto.randomUUID(), isTed: true },
      },
    ]);
    const { entries } = await read("2026-10-01", "2026-10-31");
    expect(
      entries.map(({ type, value, balance, complement }) => [
        type,
        value,
        balance,
        complement.batch_id,
        complement.isTed,
      ]),
    ).toEqual([
      ["REFUND", 200_00, 500_00, batch.id, true],
      ["BATCH", -200_00, 300_00, batch.id, false],
      ["DEPOSIT", 500_00, 500_00, undefined, false],
    ]);
  });

  it("STM-018 masks a receiver's CPF too", async () => {
    const receiver = {
      name: "Ana Lima",
      bank: null,
      agency: null,
      account: null,
      account_digit: null,
      account_type: null,
      document: "12345678909",
    };
    await deposit("2026-10-10T12:00:00Z", 500_00);
    await move("2026-10-11T12:00:00Z", [
      { type: "WITHDRAW", from: "available", to: "payouts", complement: { receiver } },
    ]);
    expect((await read("2026-10-11", "2026-10-11")).entries[0]?.complement.receiver?.document).toBe(
      "***.456.789-**",
    );
  });
});
