/** Answers about charges that are lost, late, contradictory or about another charge. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { handleEvents } from "../payments/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PayinEvent } from "../ports/charges.ts";
import { buildChargeRequest, card, chargeCalls, payer, sale } from "../testing/charges-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { collectDue, findPayinByEndToEndId, listCompaniesToCollectFor, readCharge } from "./index.ts";
import { requestRefund } from "./refund.ts";
import { findRefund } from "./refund-store.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { charge, payin, write, grown } = chargeCalls(() => kit);

/** A person has requested the refund, and the network was not asked yet. */
async function giveBack(endToEndId: string, amount: number): Promise<string> {
  const id = uuidv7();
  await write(async (tx) => {
    const found = await findPayinByEndToEndId(tx, endToEndId);
    if (found) await requestRefund(tx, kit.services, found, { id, amount, by: null }, kit.clock.now());
  });
  return id;
}

it("separates equal ids of companies at the network, and rejects an answer for another charge", async () => {
  const horizonteId = "01990000-0000-7000-8000-00000000b001";
  const { charges } = kit.services;
  const request = buildChargeRequest({ kind: "pix" });
  await charge(request);
  const theirs = { name: "Horizonte", taxId: "11222333000181" };
  const cancelled = await charges.cancel({ id: request.id, companyId: horizonteId });
  expect(cancelled).toMatchObject({ kind: "charge_cancelled", companyId: horizonteId });
  expect(await kit.charges.pay(request.id)).toBe(true);
  await kit.pass({ seconds: 1 });
  expect((await payin(request.id))?.status).toBe("received");

  const paid = { id: uuidv7(), companyId: auroraId, amount: 1_00, payer, receiver: theirs };
  const order = { ...paid, method: "credit_card", installments: 1, card: card(goodCard) } as const;
  const answers = [await charges.charge(order), await charges.charge({ ...order, companyId: horizonteId })];
  expect(new Set(answers.map((answer) => answer !== "waiting" && answer.id)).size).toBe(2);
  for (const answer of answers) {
    const dear = sale(goodCard);
    vi.spyOn(charges, "charge").mockResolvedValueOnce(answer);
    await expect(charge(dear)).rejects.toThrow("names another");
    expect(await payin(dear.id)).toMatchObject({ status: "pending", charged_at: null });
  }
  // An answer about another refund is refused too.
  const endToEndId = await kit.deposit(10_00);
  const id = await giveBack(endToEndId, 10_00);
  const other = { companyId: auroraId, refundId: uuidv7(), at: kit.clock.now().toISOString() };
  vi.spyOn(charges, "refund").mockResolvedValueOnce({ ...other, kind: "refund_done", id: uuidv7() });
  await expect(kit.drainJobs()).rejects.toThrow("names another");
  expect(await write((tx) => findRefund(tx, id))).toMatchObject({ status: "processing" });
});

it("stores an answer that contradicts the request for a person to examine", async () => {
  const request = sale(goodCard);
  const at = kit.clock.now().toISOString();
  const paid = {
    kind: "charge_paid",
    id: "an answer",
    companyId: auroraId,
    chargeId: request.id,
    at,
    value: 150_00,
  } as const;
  vi.spyOn(kit.services.charges, "charge").mockResolvedValueOnce({
    ...paid,
    paymentId: "of nobody",
    payer: null,
  });
  await charge(request);
  // A person reviews the contradiction and closes it.
  const { rows } = await kit.services.db.pool.query(
    "DELETE FROM rail_dead_letters WHERE event_id = 'an answer' RETURNING why, detail",
  );
  expect(rows).toEqual([{ why: "contradiction", detail: "a card sale is authorised, not paid" }]);
  expect(await payin(request.id)).toMatchObject({ status: "pending", posting_cause: null });
  expect((await kit.faults()).map(({ rule, where }) => [rule, where])).toEqual([
    ["each payment that the network reports as received is posted, to the centavo", "an answer"],
  ]);
  await kit.services.db.pool.query("DELETE FROM rail_events WHERE event_id = 'an answer'");
});

it("does not report a paid boleto before the day on which it settles", async () => {
  kit.clock.set("2026-09-10T20:00:00Z");
  const request = buildChargeRequest({ kind: "boleto", dueInBusinessDays: 4 });
  await charge(request);
  await kit.charges.pay(request.id);
  expect(await kit.services.charges.cancel({ id: request.id, companyId: auroraId })).toBe("waiting");
  expect((await charge(request)).status).toBe("pending");
  expect(await grown(() => kit.passUntil("2026-09-11T11:00:00Z"))).toBe(150_00);
});

describe("a lost answer", () => {
  it("delays neither other charges nor refunds, and is queried with backoff", async () => {
    const { charges } = kit.services;
    const lost = vi.spyOn(charges, "charge").mockRejectedValue(new Error("no answer"));
    const [wrong, right] = [sale(goodCard), sale(goodCard)];
    for (const request of [wrong, right]) await charge(request);
    lost.mockRestore();
    const real = charges.cancel;
    const cancel = vi.spyOn(charges, "cancel").mockImplementation(async (one) => {
      const answer = await real(one);
      return one.id === wrong.id && answer !== "waiting"
        ? ({ ...answer, chargeId: right.id } as PayinEvent)
        : answer;
    });
    kit.clock.advance({ minutes: 3 });
    const refunds = vi.spyOn(charges, "refund");
    await giveBack(await kit.deposit(10_00), 10_00);
    expect(await listCompaniesToCollectFor(kit.services)).toContain(auroraId);
    await expect(collectDue(kit.services, { companyId: auroraId })).rejects.toThrow("names another");
    expect(refunds).toHaveBeenCalledOnce();
    expect((await payin(right.id))?.status).toBe("unauthorized");
    const requested = () => cancel.mock.calls.filter(([{ id }]) => id === wrong.id).length;
    expect(requested()).toBe(1);
    await collectDue(kit.services, { companyId: auroraId });
    expect(requested()).toBe(1);
    kit.clock.advance({ seconds: 11 });
    await expect(collectDue(kit.services, { companyId: auroraId })).rejects.toThrow("names another");
    expect(requested()).toBe(2);
    vi.restoreAllMocks();
    await kit.pass({ minutes: 1 });
    expect((await payin(wrong.id))?.status).toBe("unauthorized");
  });

  it("is requested again under the same id, by the caller or on schedule, and charges once", async () => {
    await kit.network.changeSettings({ timeout_percent: 100 });
    const [pix, tried, left] = [buildChargeRequest({ kind: "pix" }), sale(goodCard), sale(goodCard)];
    for (const request of [pix, tried, left]) {
      expect(await charge(request)).toMatchObject({ status: "pending", isReady: false, pix: null });
    }
    await kit.network.changeSettings({ timeout_percent: 0 });
    expect(await charge(tried)).toMatchObject({ status: "authorized" });
    await kit.pass({ minutes: 3 });
    expect(await kit.services.db.readCompany(auroraId, (tx) => readCharge(tx, pix.id))).toMatchObject({
      isReady: true,
    });
    // The card data is gone: the acquirer has made the sale already, or it never will.
    const ended = await payin(left.id);
    expect(["authorized", "unauthorized"]).toContain(ended?.status);
    if (ended?.status === "unauthorized") {
      expect(ended.details.rejection_reason).toBe("processor_transaction_timeout");
      expect((await charge(left)).status).toBe("unauthorized");
    }
  });
});

it("events in every order leave a charge the same, and an event of an unknown charge is stored as a dead letter", async () => {
  const at = kit.clock.now().toISOString();
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [2, 0, 1],
  ];
  for (const order of orders) {
    const { id } = await charge(buildChargeRequest({ kind: "pix" }));
    const shown = { companyId: auroraId, chargeId: id, at };
    const events: PayinEvent[] = [
      { ...shown, kind: "charge_paid", id: `${id}:1`, paymentId: `E${id}`, value: 150_00, payer: null },
      { ...shown, kind: "charge_expired", id: `${id}:2` },
      { ...shown, kind: "charge_cancelled", id: `${id}:3`, by: "network" },
    ];
    for (const index of order) await handleEvents(kit.services, [events[index] as PayinEvent]);
    expect(await payin(id)).toMatchObject({ status: "received", received_amount: 150_00 });
  }
  const unknown = {
    kind: "charge_expired",
    id: "nobody's",
    companyId: auroraId,
    chargeId: uuidv7(),
    at,
  } as const;
  await handleEvents(kit.services, [unknown, unknown]);
  const { rows } = await kit.services.db.pool.query("SELECT why FROM rail_dead_letters WHERE event_id = $1", [
    unknown.id,
  ]);
  expect(rows).toEqual([{ why: "contradiction" }]);
});
