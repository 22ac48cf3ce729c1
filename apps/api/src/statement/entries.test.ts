/** Contents of a statement's entry, and their readers. */
import { createBatch } from "@malote/contracts/batches";
import { readBalance } from "@malote/contracts/statement";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handleEvents } from "../payments/index.ts";
import type { RailEvent } from "../ports/rails.ts";
import { buildTestApp, type Person, type TestApp, testClock } from "../testing/app.ts";
import { faultsOfLedger } from "../testing/ledger-kit.ts";
import { endOfOctober, statementCalls } from "../testing/statement-kit.ts";

let app: TestApp;
let helena: Person;
let ana: Person;
beforeEach(async () => {
  app = await buildTestApp({
    clock: testClock(new Date(endOfOctober)),
  });
  [helena, ana] = await Promise.all([app.as("helena@aurora.example"), app.as("ana@aurora.example")]);
});
afterEach(async () => {
  expect(await faultsOfLedger(app.services.db)).toEqual([]);
  await app.close();
});

const { move, deposit, read } = statementCalls(
  () => app,
  () => helena,
);

describe("an entry", () => {
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

  it("STM-009 STM-018 STM-019 shows the payer of a deposit, with the CPF masked, and counts once however often it is reported", async () => {
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
            bank: "Itaú Unibanco",
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

  it("ruling D15: shows a company's complete CNPJ, and a person without a document as such", async () => {
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

  it("SHL-003 names our institution independently of the brand, also in entries with its former name", async () => {
    const { payer } = received();
    await handleEvents(app.services, [received({ payer: { ...payer, bank: "Malote IP" } })]);
    const { entries } = await read("2026-10-31", "2026-10-31");
    expect(entries.map(({ complement }) => complement.bank)).toEqual(["Mesa Pagamentos IP"]);
    expect(JSON.stringify(entries)).not.toMatch(/malote/i);
  });

  it("is not written for a Pix whose key no company has, which is stored as a dead letter for a person to examine", async () => {
    await handleEvents(app.services, [received({ pixKey: "de-outro@exemplo.com.br" })]);
    expect((await helena.call(readBalance)).body.value).toBe(0);
    const { rows } = await app.services.db.pool.query("SELECT why, detail FROM rail_dead_letters");
    expect(rows).toEqual([
      { why: "failed", detail: expect.stringContaining("names a Pix key that no company holds") },
    ]);
  });

  it("STM-013 links to its batch, also for a refund", async () => {
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

  it("STM-018 also masks a receiver's CPF", async () => {
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
