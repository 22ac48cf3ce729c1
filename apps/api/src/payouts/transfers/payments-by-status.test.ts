/** Payments of a period by status, and texts that a search does not find. */
import { randomUUID } from "node:crypto";
import { createBatch } from "@malote/contracts/batches";
import { type BoletoInput, refundBoleto } from "@malote/contracts/boletos";
import { readBatchChecks } from "@malote/contracts/checks";
import { listTransfers, listTransfersWithReceipts, refundTransfer } from "@malote/contracts/transfers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, magicBarcode } from "../../testing/boletos.ts";
import { periodCalls } from "../../testing/payments-by-period-kit.ts";
import {
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  releaseOnly,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments({ start: "2026-10-20T13:00:00Z" });
});
afterAll(() => kit.close());

const { transfers, boletos } = periodCalls(() => kit);

describe("each status in a list", () => {
  const february = { initialDate: "2027-02-01", endDate: "2027-02-28" };
  const noKey = { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;

  it("TRF-007 TRF-009 TRF-063 finds its transfers, and those of them with a receipt", async () => {
    await kit.passUntil("2027-02-02T14:00:00Z");
    await kit.deposit(100_000_00);
    const failing = await draft(kit.admin, [
      pix(11_00, { destination_bank_account: noKey }),
      pix(12_00, { destination_bank_account: { ...noKey, pix_key: "chave.pix25@exemplo.com.br" } }),
      pix(13_00),
      ted(14_00, { payment_date: "2027-02-25" }),
    ]);
    await closing(kit.admin, failing.id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    const [refunded] = (await transfers({ ...february, status: "FAILED", search: "11,00" })).data;
    const params = { id: failing.id, tid: refunded?.id ?? "" };
    const key = { "idempotency-key": randomUUID() };
    expect((await kit.admin.call(refundTransfer, { params }, key)).status).toBe(200);
    // The transfer is final tomorrow morning at the earliest; until then it counts as transferred like a final one.
    const settled = await draft(kit.admin, [ted(15_00)]);
    await closing(kit.admin, settled.id);
    await kit.drainJobs();
    await kit.pass({ minutes: 30 });
    const underWay = await draft(kit.admin, [pix(16_00)]);
    await closing(kit.admin, underWay.id);
    await releaseOnly(kit, underWay.id);
    // A payment with an error is 'Criada' too, and no failure.
    const wrong = { destination_bank_account: { pix_key_type: "EMAIL", pix_key: "sem arroba" } } as const;
    const body = { name: "Rascunho", transfers: [pix(17_00), pix(18_00, wrong)] };
    expect((await kit.admin.call(createBatch, { body })).body.errors_count).toBe(1);

    const of = async (status: string) => {
      const { values, data, total } = await transfers({ ...february, status });
      expect(total).toBe(values.length);
      return [values, [...new Set(data.map((one) => one.status))].sort()];
    };
    expect(await of("CREATED")).toEqual([[17_00, 18_00], ["CREATED"]]);
    expect(await of("SCHEDULED")).toEqual([[14_00], ["SCHEDULED"]]);
    expect(await of("RECEIVED")).toEqual([[16_00], ["RECEIVED"]]);
    expect(await of("TRANSFERRED")).toEqual([
      [15_00, 13_00],
      ["FINISHED", "TRANSFERRED"],
    ]);
    expect(await of("FAILED")).toEqual([[12_00], ["FAILED"]]);
    expect(await of("RETURNED")).toEqual([[11_00], ["RETURNED"]]);
    const withReceipts = async (filter: object) =>
      (await kit.admin.call(listTransfersWithReceipts, { query: { ...february, ...filter } })).body.data.map(
        ({ value }) => value,
      );
    expect(await withReceipts({})).toEqual([15_00, 13_00]);
    expect(await withReceipts({ bankId: "60701190" })).toEqual([15_00]);
    expect(await withReceipts({ initialDate: "2027-02-03" })).toEqual([]);
    expect(await withReceipts({ endDate: "2027-02-01" })).toEqual([]);
    await kit.pass({ seconds: 1 });
  });

  it("BIL-005 finds its boletos: paid includes paid and final ones", async () => {
    const closed = async (given: BoletoInput[]) => {
      const { id } = await boletoDraft(kit.admin, given);
      // The sandbox's register does not confirm the failing codes, so each finding is confirmed.
      const { missing } = (await kit.admin.call(readBatchChecks, { params: { id } })).body;
      const confirmations = missing.map(({ kind, fingerprint }) => ({
        kind,
        fingerprint,
      }));
      expect((await closing(kit.admin, id, undefined, { confirmations })).status).toBe(200);
      return id;
    };
    const id = await closed([
      boletoOf(20_00),
      boletoOf(21_00, { barcode: magicBarcode(21_00, "15") }),
      boletoOf(23_00, { barcode: magicBarcode(23_00, "25") }),
      boletoOf(22_00, { payment_date: "2027-02-25" }),
    ]);
    await kit.drainJobs();
    await kit.passUntil("2027-02-02T21:00:00Z");
    const [refunded] = (await boletos({ ...february, search: "23,00" })).data;
    const params = { id, billetId: refunded?.id ?? "" };
    const key = { "idempotency-key": randomUUID() };
    expect((await kit.admin.call(refundBoleto, { params }, key)).status).toBe(200);
    await kit.passUntil("2027-02-03T14:00:00Z");
    await closed([boletoOf(24_00)]);
    await kit.drainJobs();
    await kit.passUntil("2027-02-03T21:00:00Z");
    const underWay = await closed([boletoOf(25_00)]);
    await releaseOnly(kit, underWay);

    const of = async (status: string) => {
      const { values, data, total } = await boletos({ ...february, status });
      expect(total).toBe(values.length);
      return [values, [...new Set(data.map((one) => one.status))].sort()];
    };
    expect(await of("PAID")).toEqual([
      [24_00, 20_00],
      ["FINISHED", "PAID"],
    ]);
    expect(await of("FAILED")).toEqual([[21_00], ["FAILED"]]);
    expect(await of("SCHEDULED")).toEqual([[22_00], ["SCHEDULED"]]);
    expect(await of("RETURNED")).toEqual([[23_00], ["RETURNED"]]);
    expect(await of("EXECUTING")).toEqual([[25_00], ["EXECUTING"]]);
  });
});

describe("a search", () => {
  const march = { initialDate: "2027-03-01", endDate: "2027-03-31" };

  it("finds no receiver by the hidden digits of a CPF, and every one by the complete CPF", async () => {
    await kit.passUntil("2027-03-02T14:00:00Z");
    const given = [
      pix(60_00, {
        destination_bank_account: { name: "Ana Lima", pix_key_type: "CPF", pix_key: "529.982.247-25" },
      }),
      ted(61_00, {}, "390.533.447-05"),
    ];
    const { id } = await draft(kit.admin, given);
    const found = async (search: string, by: Person) => {
      const here = await by.call(listTransfers, { params: { id }, query: { search } });
      const everywhere = await transfers({ ...march, search }, by);
      expect(here.body.data.map(({ value }) => value)).toEqual(everywhere.values);
      return everywhere.values;
    };
    const hidden = [
      ["529", [60_00]],
      ["5299", [60_00]],
      ["24725", [60_00]],
      ["52998224", [60_00]],
      ["lima\n5", [60_00]],
      ["390", [61_00]],
      ["390.533", [61_00]],
    ] as const;
    const shown = [
      ["52998224725", [60_00]],
      ["529.982.247-25", [60_00]],
      ["390.533.447-05", [61_00]],
      ["ana lima", [60_00]],
      ["nascente", [61_00]],
    ] as const;
    const ofTheMask = [
      ["982.247", [60_00]],
      ["***.533.447-**", [61_00]],
      ["5334", [61_00]],
    ] as const;
    // Drafts show documents unmasked.
    for (const [search, values] of [...hidden, ...shown])
      expect([search, await found(search, kit.admin)]).toEqual([search, values]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    for (const person of [kit.admin, kit.analyst]) {
      for (const [search] of hidden) expect([search, await found(search, person)]).toEqual([search, []]);
      for (const [search, values] of [...shown, ...ofTheMask])
        expect([search, await found(search, person)]).toEqual([search, values]);
    }
  });
});
