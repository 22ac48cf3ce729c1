/** A payment from its claim to the network's last report, with lost, repeated and reordered messages. */

import { randomUUID } from "node:crypto";
import { isEndToEndId } from "@malote/domain/end-to-end-id";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimDue } from "../payouts/index.ts";
import type { RailEvent } from "../ports/rails.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
  pix,
  releaseOnly,
  ted,
} from "../testing/payments-kit.ts";
import { sendingCalls } from "../testing/sending-kit.ts";
import { handleEvents, sendDuePayments } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { released, statuses, fetchTransfers } = sendingCalls(() => kit);

const deliveredOnce = async () => {
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ orders: number }>`SELECT count(*)::int AS orders FROM sandbox.orders`.execute(tx),
  );
  return rows[0]?.orders;
};
const event = (fields: object) =>
  ({ companyId: auroraId, at: kit.clock.now().toISOString(), ...fields }) as RailEvent;
const receive = (...events: RailEvent[]) => handleEvents(kit.services, events);

describe("handing over", () => {
  it("TRF-007 gives each payment a single end-to-end id before the network gets it", async () => {
    const id = await released(Array.from({ length: 30 }, () => pix(1_00)));
    let stored: (string | null)[] = [];
    const { rails } = kit.services;
    kit.services.rails = {
      ...rails,
      async send(orders) {
        stored = (await fetchTransfers(id)).map((t) => t.end_to_end_id);
        return rails.send(orders);
      },
    };
    await kit.drainJobs();
    expect(stored.every((one) => one !== null && isEndToEndId(one))).toBe(true);
    expect(new Set(stored).size).toBe(30);
    await kit.pass({ seconds: 1 });
    expect((await fetchTransfers(id)).map((t) => t.end_to_end_id)).toEqual(stored);
    expect(await deliveredOnce()).toBe(30);
  });

  it("TRF-001 makes different ids for two companies whose payments have the same id", async () => {
    const transferId = randomUUID();
    await kit.deposit(100_00);
    await kit.deposit(100_00, "pagamentos@horizonte.example");
    for (const person of [kit.admin, kit.stranger]) {
      const { id } = await draft(person, [pix(10_00, { id: transferId })]);
      await closing(person, id);
    }
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await deliveredOnce()).toBe(2);
    expect([await fetchBalance(kit.admin), await fetchBalance(kit.stranger)]).toEqual([90_00, 90_00]);
  });

  it("queries the network before resending when every answer is lost, and pays once", async () => {
    const id = await released(Array.from({ length: 40 }, () => pix(1_00)));
    await releaseOnly(kit, id);
    await kit.network.changeSettings({ timeout_percent: 100 });
    await expect(sendDuePayments(kit.services, { companyId: auroraId })).rejects.toThrow("did not answer");
    // Every payment waits at least as long as a slow call may take.
    kit.clock.advance({ seconds: 7 });
    await sendDuePayments(kit.services, { companyId: auroraId });
    for (let tries = 0; tries < 3; tries++) {
      kit.clock.advance({ seconds: 9 });
      await sendDuePayments(kit.services, { companyId: auroraId }).catch(() => undefined);
    }
    await kit.network.changeSettings({ timeout_percent: 0 });
    await kit.pass({ seconds: 9 });
    await kit.pass({ seconds: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 40 });
    expect(await deliveredOnce()).toBe(40);
  });

  it("sends payments that a killed worker had claimed", async () => {
    const id = await released([pix(10_00), pix(20_00)]);
    await releaseOnly(kit, id);
    await kit.services.db.withCompany(auroraId, (tx) =>
      claimDue(tx, kit.clock.now(), "E99999593202608121300", 500, { connection: "sandbox", main: "sandbox" }),
    );
    expect(await statuses(id)).toEqual(["EXECUTING", "EXECUTING"]);
    await kit.pass({ seconds: 8 });
    expect(await deliveredOnce()).toBe(0);
    await kit.pass({ seconds: 1 });
    expect(await deliveredOnce()).toBe(2);
    await kit.pass({ seconds: 1 });
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED"]);
  });

  it("hands over each payment once with four concurrent workers in two processes", async () => {
    const id = await released(Array.from({ length: 500 }, () => pix(1_00)));
    await releaseOnly(kit, id);
    const other = await kit.another();
    const sent: string[] = [];
    for (const one of [kit, other]) {
      const { rails } = one.services;
      one.services.rails = {
        ...rails,
        async send(orders) {
          sent.push(...orders.map((order) => order.endToEndId));
          return rails.send(orders);
        },
      };
    }
    await Promise.all(
      [kit, other, kit, other].map((one) => sendDuePayments(one.services, { companyId: auroraId })),
    );
    expect(sent).toHaveLength(500);
    expect(new Set(sent).size).toBe(500);
    await kit.pass({ seconds: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 500 });
    await other.close();
  });
});

describe("the network's events", () => {
  async function sentTed() {
    const id = await released([ted(100_00)]);
    await kit.drainJobs();
    const [transfer] = await fetchTransfers(id);
    return { id, endToEndId: transfer.end_to_end_id as string, e: transfer.end_to_end_id as string };
  }

  it("applies an event once however often it is delivered, in one call and in concurrent ones", async () => {
    const { id, e } = await sentTed();
    const settled = event({ id: "a", kind: "settled", endToEndId: e, final: false });
    await receive(settled, settled);
    await Promise.all(Array.from({ length: 8 }, () => receive(settled)));
    await receive(event({ id: "b", kind: "settled", endToEndId: e, final: true }));
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 1 });
    expect(await kit.faults()).toEqual([]);
  });

  it("TRF-005 shows its destination, with the bank and every digit, as verified once it arrived", async () => {
    const given = {
      name: "Padaria Sol Nascente",
      email: "caixa@padaria.example",
      bank_id: "00000000",
      agency: "1584",
      agency_digit: "9",
      account: "210169",
      account_digit: "6",
      account_type: "CONTA_CORRENTE",
    } as const;
    const payment = ted(100_00, { destination_bank_account: { ...given, cpf_cnpj: "11222333000181" } });
    const id = await released([payment]);
    await kit.drainJobs();
    const [{ end_to_end_id: e }] = await fetchTransfers(id);
    const to = async () => (await fetchTransfers(id))[0].destination_bank_account;
    expect((await to()).status).toBeNull();
    await receive(event({ id: "s", kind: "settled", endToEndId: e, final: true }));
    expect(await to()).toEqual({
      ...given,
      id: expect.any(String),
      cpf_cnpj: "11.222.333/0001-81",
      pix_key: null,
      pix_key_type: null,
      status: "VERIFIED",
      status_description: null,
      Bank: {
        id: "00000000",
        ispb: "00000000",
        code: "001",
        name: "Banco do Brasil",
        image: "/api/payments/bank/00000000/image",
      },
    });
  });

  it("TRF-007 accepts the event finished before settled, and stays finished", async () => {
    const { id, e } = await sentTed();
    await receive(event({ id: "f", kind: "finished", endToEndId: e }));
    expect(await statuses(id)).toEqual(["FINISHED"]);
    const arrivedAt = "2026-08-12T12:59:00.000Z";
    await receive(event({ id: "s", kind: "settled", endToEndId: e, final: false, at: arrivedAt }));
    expect(await statuses(id)).toEqual(["FINISHED"]);
    // The order of the events does not matter: the payment shows its time of arrival.
    expect((await fetchTransfers(id))[0].transfer_date).toBe(arrivedAt);
    expect(await batch(kit.admin, id)).toMatchObject({ paid_count: 1, status: "FINISHED" });
  });

  it("TRF-003 TRF-007 accepts the event returned before settled, also in one call, and returns the money once", async () => {
    const { id, e } = await sentTed();
    const code = "D60701190202608121301abcdefghijk";
    const returned = event({
      id: "r",
      kind: "returned",
      endToEndId: e,
      reason: "Conta inválida",
      authorizationCode: code,
    });
    const settled = event({ id: "s", kind: "settled", endToEndId: e, final: false });
    await receive(returned, settled);
    await receive(settled, returned);
    const [transfer] = await fetchTransfers(id);
    expect(transfer).toMatchObject({ status: "RETURNED", status_description: "Conta inválida" });
    // Returned money has an id of its own; the order keeps its id.
    expect(transfer.end_to_end_id).toBe(e);
    expect(transfer.refunds).toEqual([
      { id: transfer.id, amount: 100_00, settled_at: transfer.returned_date, authorization_code: code },
    ]);
    // The result equals that of two separate events: all payments had arrived, and a later return does not reopen the
    // batch.
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "FINISHED",
      paid_count: 0,
      returned_count: 1,
    });
    expect(await fetchBalance(kit.admin)).toBe(10_000_00);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({ type: "REFUND", value: 100_00 });
  });

  it("ignores a failure after the money arrived, and unknown ids", async () => {
    const { id, e } = await sentTed();
    await receive(event({ id: "s", kind: "settled", endToEndId: e, final: false }));
    await receive(
      event({ id: "x", kind: "failed", endToEndId: e, reason: "tarde demais" }),
      event({ id: "y", kind: "settled", endToEndId: "E99999593202608121300aaaaaaaaaaa", final: true }),
    );
    expect(await statuses(id)).toEqual(["TRANSFERRED"]);
    // The contradiction stays reported until a person has reviewed it.
    expect(await kit.faults()).toMatchObject([
      { rule: "each payment that the network reports as paid is posted", where: "y" },
      { rule: "no payment both failed and was paid", where: "x" },
    ]);
    await kit.services.db.pool.query("DELETE FROM rail_events WHERE event_id IN ('x', 'y')");
  });

  it("applies a redelivered event when the first delivery was interrupted", async () => {
    const id = await released([pix(10_00), pix(20_00)]);
    await kit.drainJobs();
    let calls = 0;
    kit.network.listen(async (events) => {
      if (++calls === 1) throw new Error("the product was away");
      await handleEvents(kit.services, events);
      // The event is applied, and the acknowledgement to the network is lost.
      if (calls === 2) throw new Error("the answer got lost");
    });
    for (let tries = 0; tries < 4; tries++) await kit.pass({ seconds: 10 });
    expect(calls).toBe(3);
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 2 });
  });

  it("receives many events in two processes concurrently and books each payment once", async () => {
    const id = await released(Array.from({ length: 300 }, () => pix(1_00)));
    await kit.drainJobs();
    const all = (
      await kit.services.db.withSandbox((tx) =>
        sql<{ payload: RailEvent }>`SELECT payload FROM sandbox.events`.execute(tx),
      )
    ).rows
      .map((row) => row.payload)
      .filter((one) => one.kind === "settled");
    const other = await kit.another();
    const mixed = (seed: number) => [...all].sort((a, b) => (a.id + seed < b.id + seed ? seed : -seed));
    await Promise.all([
      handleEvents(kit.services, mixed(1)),
      handleEvents(other.services, mixed(-1)),
      handleEvents(kit.services, all.slice(100)),
      handleEvents(other.services, [...all.slice(50), ...all]),
    ]);
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 300 });
    await other.close();
  });

  it("finishes a mixed batch correctly with every event delivered twice", async () => {
    await kit.network.changeSettings({ duplicate_percent: 100 });
    const failing = pix(5_00, {
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
    });
    const id = await released([pix(10_00), ted(20_00), failing, ted(30_00, {}, "61420738526")]);
    await kit.pass({ seconds: 1 });
    await kit.pass({ minutes: 5 });
    await kit.pass({ days: 1 });
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED", "FAILED", "RETURNED"]);
    expect(await fetchBalance(kit.admin)).toBe(10_000_00 - 35_00);
  });
});
