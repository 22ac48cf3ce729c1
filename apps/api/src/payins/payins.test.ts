/** Payins over HTTP: list, totals, details, refunds and sheet. */
import { randomUUID } from "node:crypto";
import { bases, type Contract } from "@malote/contracts/contract";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  downloadRefundReceipt,
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinReport,
  readPayinTotals,
  refundPayin,
  requestPayinReport,
} from "@malote/contracts/payins";
import { blockPix, depositPix, endPixBlock, sendTed } from "@malote/contracts/simulator-payins";
import { cardRejections } from "@malote/domain/card-rejections";
import { cents, formatBrl } from "@malote/domain/money";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chargeMagicValues, goodCard } from "../adapters/sandbox/charges/index.ts";
import { post } from "../ledger/index.ts";
import { handleEvents } from "../payments/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { linesOf } from "../receipts/testing.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, auroraKey, balanceOf, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { type ChargeRequest, createCharge } from "./index.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const deposit = async (value: number, more: Record<string, string> = {}) => {
  const { status, body } = await kit.call(depositPix, { body: { pix_key: auroraKey, value, ...more } });
  expect(status).toBe(200);
  await kit.pass({ seconds: 1 });
  return body.end_to_end_id as string;
};
const list = async (query: Record<string, string> = {}, by: Person = kit.admin) =>
  (await by.call(listPayins, { query })).body;
const payinOf = async (search: string): Promise<Payin> => (await list({ search })).items[0];
const read = async (id: string): Promise<Payin> => (await kit.admin.call(readPayin, { params: { id } })).body;
const refund = (id: string, amount: number, by: Person = kit.admin, key: string = randomUUID()) =>
  by.call(refundPayin, { params: { id }, body: { amount } }, { "idempotency-key": key });
const refundsOf = async (id: string) =>
  (await kit.admin.call(listPayinRefunds, { params: { id } })).body.items;
const received = async (value: number) => payinOf(await deposit(value));
const withPermissions = async (permissions: string[], work: () => Promise<void>) => {
  const set = (held: string[]) =>
    kit.services.db.pool.query("UPDATE companies SET permissions = $1 WHERE company_id = $2", [
      held,
      auroraId,
    ]);
  await set(permissions);
  await work().finally(() => set(["all"]));
};
const charged = async (amount: number, method: ChargeRequest["method"]) => {
  const payer = { name: "Bruno Sales", taxId: "11222333000181" };
  const id = uuidv7();
  const request = { id, paymentLinkId: null, amount, payer, description: null, method };
  await createCharge(kit.services, auroraId, request);
  return id;
};
const soldByCard = (amount: number, number: string = goodCard) => {
  const card = { number, holder: "M", expiry: { month: 12, year: 2031 }, securityCode: "123" };
  return charged(amount, { kind: "credit_card", installments: 2, card });
};
const expiredCard = () => {
  const { value } =
    chargeMagicValues.find(({ outcome }) => outcome.endsWith(rejection("card_expired"))) ?? {};
  return value?.replaceAll(" ", "") ?? "";
};
const rejection = (code: string) => cardRejections[code] ?? code;

describe("refuses", () => {
  it("PAY-027 a refund without a token, by an analyst, without the permission, of another company, or without a key", async () => {
    const { id } = await received(10_00);
    const body = { amount: 1 };
    expect((await kit.call(refundPayin, { params: { id }, body })).status).toBe(401);
    expect((await refund(id, 1, kit.analyst)).status).toBe(403);
    await withPermissions(["platform_access", "payin_refund_med"], async () => {
      expect((await refund(id, 1)).status).toBe(403);
      expect((await list()).items.length).toBeGreaterThan(0);
    });
    expect((await refund(id, 1, kit.stranger)).status).toBe(404);
    expect((await kit.stranger.call(readPayin, { params: { id } })).status).toBe(404);
    expect((await kit.stranger.call(listPayinRefunds, { params: { id } })).status).toBe(404);
    expect((await kit.admin.call(refundPayin, { params: { id }, body })).body.code).toBe(
      "not_acceptable_key",
    );
    expect(await refundsOf(id)).toEqual([]);
  });

  it("PAY-026 PAY-031 a refund above what is left, of nothing, too late, or of what knows no way back", async () => {
    const { id } = await received(10_00);
    expect((await refund(id, 0)).status).toBe(400);
    expect((await refund(id, 10_01)).body.code).toBe("refund_above_refundable");
    const { body: ted } = await kit.call(sendTed, { body: { company_id: auroraId, value: 7_00 } });
    await kit.passUntil(ted.arrives_at);
    const [paidByTed] = (await list({ payment_type__in: "ted" })).items;
    expect(paidByTed).toMatchObject({ status: "received", refundable_amount: 0, category: "payment" });
    expect((await refund(paidByTed.id, 1)).body.code).toBe("payin_not_refundable");
    kit.clock.advance({ days: 91 });
    expect((await refund(id, 1)).body).toMatchObject({
      code: "refund_window_over",
      message: "Tempo para devolução excedido",
    });
    expect(await read(id)).toMatchObject({ refundable_amount: 0 });
  });

  it("a cursor nobody gave", async () => {
    const answer = await kit.admin.call(listPayins, { query: { page_cursor: "b2xkZXIgMQ" } });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});

describe("a refund", () => {
  it("PAY-032 PAY-033 PAY-035 FST-024 leaves the balance at once, goes out once for a key, and is a checkpoint", async () => {
    const { id, payer } = await received(100_00);
    expect(payer).toEqual({ name: "Mariana Teles Prado", tax_id: "***.982.247-**" });
    const before = await balanceOf(kit.admin);
    const key = randomUUID();
    const [first, second] = await Promise.all([
      refund(id, 30_00, kit.operator, key),
      refund(id, 30_00, kit.operator, key),
    ]);
    expect([first.status, second.status]).toContain(200);
    const again = await refund(id, 30_00, kit.operator, key);
    expect(again.body).toMatchObject({ amount: 30_00, status: "processing", error: null });
    expect(await balanceOf(kit.admin)).toBe(before - 30_00);
    expect(await read(id)).toMatchObject({ status: "refunding", refundable_amount: 70_00 });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "partially_refunded", refunded_amount: 30_00 });
    expect((await refund(id, 70_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "refunded", refundable_amount: 0 });
    const answer = await kit.admin.call(listPayinRefunds, { params: { id } });
    expect(answer.body.metadata).toEqual({ pagination: { itemsPerPage: 2, totalItems: 2 } });
    const refunds = answer.body.items;
    expect(refunds[1]).toEqual({
      id: again.body.id,
      amount: 30_00,
      created_at: again.body.created_at,
      receipt_file_url: `/api/payments/app/payins/${id}/refunds/${again.body.id}/receipt`,
      status: "succeeded",
      error: null,
    });
    expect(refunds.map((one: { amount: number; status: string }) => [one.amount, one.status])).toEqual([
      [70_00, "succeeded"],
      [30_00, "succeeded"],
    ]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT FROM checkpoints WHERE checkpoint_id = 'PAYIN_REFUNDED'",
    );
    expect(rows.length).toBe(2);
  });

  it("PAY-034 that the network refuses gives the money back, with the reason", async () => {
    const { id } = await received(66_01);
    const before = await balanceOf(kit.admin);
    expect((await refund(id, 66_01)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await balanceOf(kit.admin)).toBe(before);
    expect(await read(id)).toMatchObject({
      status: "received",
      refunded_amount: 0,
      refundable_amount: 66_01,
    });
    expect(await refundsOf(id)).toMatchObject([
      { status: "failed", error: "A conta do pagador foi encerrada." },
    ]);
  });

  it("whose answers get lost is asked for again under its id, and made once", async () => {
    const { id } = await received(20_00);
    await kit.network.changeSettings({ timeout_percent: 100 });
    expect((await refund(id, 20_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    await kit.network.changeSettings({ timeout_percent: 0 });
    await kit.pass({ hours: 2 });
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "refunded" });
    const { rows } = await kit.services.db.pool.query(
      "SELECT FROM sandbox.refunds WHERE refund_data ->> 'amount' = '2000'",
    );
    expect(rows.length).toBe(1);
  });

  it("of many at once never exceeds what came, nor what the balance holds", async () => {
    const { id } = await received(50_00);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(id, 20_00)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await read(id)).toMatchObject({ refunded_amount: 40_00 });
    const rich = await received(500_00);
    const other = await received(40_00);
    // The money went elsewhere meanwhile, by a contestation say.
    const rest = await balanceOf(kit.admin);
    await kit.services.db.withCompany(auroraId, async (tx) => {
      const spent = {
        type: "PAYMENT",
        cause: "spent",
        from: "available",
        to: "payouts",
        description: "gasto",
      } as const;
      expect(await post(tx, kit.clock.now(), [{ ...spent, amount: rest - 10_00 }])).toBe(true);
    });
    expect((await refund(other.id, 40_00)).body.code).toBe("insufficient_balance");
    expect(await read(other.id)).toMatchObject({ status: "received", refunded_amount: 0 });
    expect((await refund(rich.id, 10_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
  });

  it("PAY-028 of a card sale is only whole, and takes its receivables away", async () => {
    const id = await soldByCard(90_00);
    expect(await read(id)).toMatchObject({
      status: "authorized",
      refundable_amount: 90_00,
      details: { installments: 2 },
    });
    expect((await refund(id, 40_00)).body.code).toBe("refund_only_in_full");
    expect((await refund(id, 90_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "refunded" });
    const { rows } = await kit.services.db.pool.query(
      "SELECT status FROM card_receivables WHERE payin_id = $1",
      [id],
    );
    expect(rows).toEqual([{ status: "canceled" }, { status: "canceled" }]);
  });
});

describe("a precautionary block", () => {
  const block = (endToEndId: string) =>
    kit.call(blockPix, { body: { company_id: auroraId, end_to_end_id: endToEndId } });
  const end = (endToEndId: string, outcome: string) =>
    kit.call(endPixBlock, { body: { company_id: auroraId, end_to_end_id: endToEndId, outcome } });

  it("PAY-021 PAY-027 PAY-028 takes the money out of reach; it goes back whole, without the refund's permission", async () => {
    const e2e = await deposit(30_00);
    const before = await balanceOf(kit.admin);
    const askedAt = kit.clock.now();
    expect((await block(e2e)).status).toBe(200);
    await kit.pass({ seconds: 1 });
    expect(await balanceOf(kit.admin)).toBe(before - 30_00);
    const { id, ...blocked } = await payinOf(e2e);
    expect(blocked).toMatchObject({
      status: "blocked",
      refundable_amount: 30_00,
      block: { block_reason: "Suspeita de fraude", amount: 30_00, unblocked_at: null },
    });
    const blockedAt = new Date(blocked.block?.blocked_at ?? 0);
    expect(blockedAt >= askedAt && blockedAt <= kit.clock.now()).toBe(true);
    expect((await refund(id, 10_00)).body.code).toBe("refund_only_in_full");
    await withPermissions(["platform_access"], async () => {
      expect((await refund(id, 30_00)).status).toBe(200);
    });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "refunded" });
    expect(await balanceOf(kit.admin)).toBe(before - 30_00);
  });

  it("PAY-027 PAY-028 holds of a Pix that was given back in part, or is on its way back in part", async () => {
    const [first, second] = [await deposit(100_00), await deposit(200_00)];
    // The one is back at once, the other takes the network an hour.
    await refund((await payinOf(first)).id, 1_00);
    await refund((await payinOf(second)).id, 66_03);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const before = await balanceOf(kit.admin);
    for (const [e2e, rest] of [
      [first, 99_00],
      [second, 133_97],
    ] as const) {
      await block(e2e);
      await kit.pass({ seconds: 1 });
      const { id, ...blocked } = await payinOf(e2e);
      expect(blocked).toMatchObject({ status: "blocked", refundable_amount: rest, block: { amount: rest } });
      expect((await refund(id, 1)).body.code).toBe("refund_only_in_full");
      expect((await payinOf(e2e)).block?.unblocked_at).toBeNull();
    }
    expect(await balanceOf(kit.admin)).toBe(before - 99_00 - 133_97);
    await kit.pass({ hours: 2 });
    expect(await payinOf(second)).toMatchObject({ status: "blocked", refunded_amount: 66_03 });
    await withPermissions(["platform_access"], async () => {
      expect((await refund((await payinOf(first)).id, 99_00)).status).toBe(200);
    });
    await end(second, "released");
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect((await payinOf(first)).status).toBe("refunded");
    expect((await payinOf(second)).status).toBe("partially_refunded");
    expect(await balanceOf(kit.admin)).toBe(before - 99_00);
  });

  it("is on again when the refund that lifted it failed, each time, until it ends", async () => {
    const e2e = await deposit(66_01);
    const before = await balanceOf(kit.admin);
    await block(e2e);
    await kit.pass({ seconds: 1 });
    const { id } = await payinOf(e2e);
    for (let times = 0; times < 2; times++) {
      expect((await refund(id, 66_01)).status).toBe(200);
      expect((await read(id)).status).toBe("refunding");
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      expect(await read(id)).toMatchObject({
        status: "blocked",
        refunded_amount: 0,
        block: { amount: 66_01, unblocked_at: null },
      });
      expect(await balanceOf(kit.admin)).toBe(before - 66_01);
    }
    await kit.pass({ hours: 72 });
    expect((await read(id)).status).toBe("received");
    expect(await balanceOf(kit.admin)).toBe(before);
  });

  it("that ends while a refund is on its way has ended, also when that fails", async () => {
    const [kept, given] = [await deposit(66_01), await deposit(66_01)];
    const before = await balanceOf(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [kept, given]) {
      await block(e2e);
      await kit.pass({ seconds: 1 });
      await refund((await payinOf(e2e)).id, 66_01);
    }
    await kit.drainJobs();
    await end(kept, "released");
    await end(given, "returned");
    await kit.pass({ seconds: 1 });
    for (const e2e of [kept, given]) expect((await payinOf(e2e)).status).toBe("refunding");
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 2 });
    expect((await payinOf(kept)).status).toBe("received");
    expect((await payinOf(given)).status).toBe("refunded");
    expect(await balanceOf(kit.admin)).toBe(before - 66_01);
  });

  it("takes what comes back of refunds that were on their way when it came, and fail", async () => {
    const [part, whole] = [await deposit(100_00), await deposit(66_01)];
    const before = await balanceOf(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [part, whole]) await refund((await payinOf(e2e)).id, 66_01);
    await kit.drainJobs();
    for (const e2e of [part, whole]) await block(e2e);
    await kit.pass({ seconds: 1 });
    expect(await payinOf(part)).toMatchObject({ status: "blocked", block: { amount: 33_99 } });
    expect(await payinOf(whole)).toMatchObject({ status: "refunding", block: null });
    await kit.pass({ hours: 1 });
    for (const [e2e, amount] of [
      [part, 100_00],
      [whole, 66_01],
    ] as const) {
      expect(await payinOf(e2e)).toMatchObject({
        status: "blocked",
        refunded_amount: 0,
        block: { block_reason: "Suspeita de fraude", amount, unblocked_at: null },
      });
    }
    expect(await balanceOf(kit.admin)).toBe(before - 100_00 - 66_01);
    await end(part, "returned");
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 72 });
    expect((await payinOf(part)).status).toBe("refunded");
    expect((await payinOf(whole)).status).toBe("received");
    expect(await balanceOf(kit.admin)).toBe(before - 100_00);
  });

  it("that comes and ends while a refund is on its way leaves what comes back free, or returns all of it", async () => {
    const [freed, given] = [await deposit(100_00), await deposit(100_00)];
    const before = await balanceOf(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [freed, given]) await refund((await payinOf(e2e)).id, 66_01);
    await kit.drainJobs();
    for (const e2e of [freed, given]) await block(e2e);
    await kit.pass({ seconds: 1 });
    await end(freed, "released");
    await end(given, "returned");
    await kit.pass({ seconds: 1 });
    expect((await payinOf(freed)).status).toBe("refunding");
    // How much is to be returned is not known yet.
    expect((await payinOf(given)).status).toBe("rejected");
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 2 });
    expect((await payinOf(freed)).status).toBe("received");
    expect(await payinOf(given)).toMatchObject({ status: "refunded", refunded_amount: 100_00 });
    expect(await balanceOf(kit.admin)).toBe(before - 100_00);
  });

  it("takes back one failed refund after the other, of those it lets go and of those before it", async () => {
    const e2e = await deposit(132_02);
    const before = await balanceOf(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    const { id } = await payinOf(e2e);
    await refund(id, 66_01);
    await kit.drainJobs();
    await block(e2e);
    await kit.pass({ seconds: 1 });
    expect((await refund(id, 66_01)).status).toBe(200);
    await kit.drainJobs();
    expect((await read(id)).status).toBe("refunding");
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    expect(await read(id)).toMatchObject({
      status: "blocked",
      refunded_amount: 0,
      block: { amount: 132_02, unblocked_at: null },
    });
    expect(await balanceOf(kit.admin)).toBe(before - 132_02);
    await kit.pass({ hours: 72 });
    expect((await read(id)).status).toBe("received");
    expect(await balanceOf(kit.admin)).toBe(before);
  });

  it("of money that was spent, or whose end is delivered first, is over without an alarm", async () => {
    const deadLetters = async () =>
      (await kit.services.db.pool.query("SELECT FROM rail_dead_letters WHERE why = 'contradiction'")).rows
        .length;
    const [alarms, early] = [await deadLetters(), await deposit(21_00)];
    const about = { companyId: auroraId, endToEndId: early, at: kit.clock.now().toISOString() };
    await handleEvents(kit.services, [
      { ...about, kind: "block_ended", id: `${early}:first`, outcome: "released" },
      { ...about, kind: "payin_blocked", id: `${early}:second`, reason: "MED" },
    ]);
    expect(await payinOf(early)).toMatchObject({ status: "received", block: null });

    const spent = await deposit(22_00);
    const movement = { type: "PAYMENT", from: "available", to: "payouts", description: "gasto" } as const;
    const amount = await balanceOf(kit.admin);
    await kit.services.db.withCompany(auroraId, (tx) =>
      post(tx, kit.clock.now(), [{ ...movement, amount, cause: "all spent" }]),
    );
    await block(spent);
    await kit.pass({ hours: 72 });
    expect(await payinOf(spent)).toMatchObject({ status: "received", block: null });
    expect(await deadLetters()).toBe(alarms);
  });

  it("PAY-024 its three ends: goes on after the 72 hours, is let go, or goes back by the network", async () => {
    const [kept, freed, given] = [await deposit(31_00), await deposit(32_00), await deposit(33_00)];
    const before = await balanceOf(kit.admin);
    for (const e2e of [kept, freed, given]) await block(e2e);
    await kit.pass({ seconds: 1 });
    expect((await payinOf(kept)).block).toMatchObject({ kept_at: null, unblocked_at: null });
    await end(kept, "kept");
    await kit.pass({ hours: 80 });
    const still = await payinOf(kept);
    expect(still).toMatchObject({
      status: "blocked",
      refundable_amount: 31_00,
      block: { kept_at: expect.any(String), unblocked_at: null },
    });
    expect(await payinOf(freed)).toMatchObject({
      status: "received",
      block: { kept_at: null, unblocked_at: expect.any(String) },
    });
    expect(await balanceOf(kit.admin)).toBe(before - 31_00);
    await end(kept, "released");
    await kit.pass({ seconds: 1 });
    expect(await payinOf(kept)).toMatchObject({
      status: "received",
      block: { kept_at: still.block?.kept_at },
    });
    expect(await balanceOf(kit.admin)).toBe(before);
    // Released by then, without another report.
    expect((await payinOf(given)).status).toBe("received");
  });

  it("PAY-012 PAY-020 PAY-026 what the network rejects is 'rejected' until it is back with its payer", async () => {
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    const e2e = await deposit(34_00);
    await kit.pass({ hours: 1 });
    const before = await balanceOf(kit.admin);
    await block(e2e);
    await kit.pass({ seconds: 1 });
    await end(e2e, "returned");
    await kit.pass({ seconds: 1 });
    const { id, ...rejected } = await payinOf(e2e);
    expect(rejected).toMatchObject({
      status: "rejected",
      refundable_amount: 0,
      refunded_amount: 0,
      rejected_at: expect.any(String),
      block: { amount: 34_00, unblocked_at: null },
    });
    expect((await refund(id, 34_00)).body.code).toBe("payin_not_refundable");
    const filtered = await list({ status__in: "refunding" });
    expect(filtered.items.map((one: Payin) => one.id)).toEqual([id]);
    const { body: figures } = await kit.admin.call(readPayinTotals, { query: { search: e2e } });
    expect(figures.blocked).toEqual({ total_amount: 34_00, count: 1 });
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    expect(await read(id)).toMatchObject({
      status: "refunded",
      refunded_amount: 34_00,
      rejected_at: rejected.rejected_at,
    });
    expect(await balanceOf(kit.admin)).toBe(before - 34_00);
  });

  it("is what it was, whatever arrives after its end or about money that was never blocked", async () => {
    const [over, never] = [await deposit(35_00), await deposit(36_00)];
    await block(over);
    await kit.pass({ seconds: 1 });
    await end(over, "released");
    await kit.pass({ seconds: 1 });
    for (const e2e of [over, never]) {
      const about = { companyId: auroraId, endToEndId: e2e, at: kit.clock.now().toISOString() };
      await handleEvents(kit.services, [
        { ...about, kind: "pix_rejected", id: `${e2e}:late` },
        { ...about, kind: "block_kept", id: `${e2e}:later` },
      ]);
      expect(await payinOf(e2e)).toMatchObject({ status: "received", rejected_at: null });
    }
    expect((await payinOf(over)).block?.kept_at).toBeNull();
  });

  it("ends by itself after 72 hours, or before: let go, or returned", async () => {
    const [first, second, third] = [await deposit(11_00), await deposit(12_00), await deposit(13_00)];
    const before = await balanceOf(kit.admin);
    for (const e2e of [first, second, third]) await block(e2e);
    await kit.pass({ seconds: 1 });
    await end(second, "released");
    await end(third, "returned");
    await kit.pass({ hours: 71 });
    expect((await payinOf(first)).status).toBe("blocked");
    expect((await payinOf(second)).status).toBe("received");
    expect(await payinOf(third)).toMatchObject({ status: "refunded", rejected_at: expect.any(String) });
    await kit.pass({ hours: 1 });
    expect(await payinOf(first)).toMatchObject({
      status: "received",
      block: { unblocked_at: expect.any(String) },
    });
    expect(await balanceOf(kit.admin)).toBe(before - 13_00);
    expect((await block("E-de-ninguem")).status).toBe(404);
  });
});

describe("the list", () => {
  it("PAY-003 PAY-014 PAY-017 PAY-018 filters, searches and sums the same payins", async () => {
    await deposit(123_45, {
      payer_name: "Zélia Ação Ltda",
      payer_document: "11.222.333/0001-81",
      txid: "PEDIDO77",
    });
    await charged(17_00, { kind: "pix" });
    await soldByCard(18_00);
    await soldByCard(16_00, expiredCard());
    const all = await list({ page_size: "100" });
    expect(all.metadata.pagination).toEqual({ itemsPerPage: 100, totalItems: all.items.length });
    const only = async (query: Record<string, string>) =>
      (await list({ page_size: "100", ...query })).items.map((one: Payin) => one.amount);
    for (const search of ["zelia acao", "11222333000181", "11.222.333/0001-81", "pedido77", "123,45"]) {
      expect([search, await only({ search })]).toEqual([search, expect.arrayContaining([123_45])]);
    }
    // An id is found as a whole: "019" is an amount, or part of a name, and begins every id of ours.
    expect(await only({ search: "019" })).toEqual([]);
    expect(await only({ payment_type__in: "pix_static_qrcode" })).toEqual([123_45]);
    expect(await only({ created_at__gte: "2099-01-01T00:00:00Z" })).toEqual([]);
    const returned = await list({ page_size: "100", status__in: "refunded" });
    const statuses = new Set(returned.items.map((one: Payin) => one.status));
    expect(statuses).toEqual(new Set(["refunded", "partially_refunded"]));
    const authorized = await list({ page_size: "100", status__in: "authorized" });
    expect(authorized.items.length).toBeGreaterThan(0);
    for (const order of [
      "status__in=refunded&status__in=authorized",
      "status__in=authorized&status__in=refunded",
    ]) {
      const two = await kit.admin.get(`/api/payments/app/payins?${order}&page_size=100`);
      expect(new Set(two.body.items.map((one: Payin) => one.id))).toEqual(
        new Set([...returned.items, ...authorized.items].map((one: Payin) => one.id)),
      );
    }

    const totals = (await kit.admin.call(readPayinTotals, { query: {} })).body;
    const sum = (word: "received" | "refunded") => totals[word].total_amount;
    const items: Payin[] = all.items;
    const partly = items.filter(({ status }) => status === "partially_refunded");
    const of = (wanted: readonly string[]) =>
      items.filter(({ status }) => wanted.includes(status)).reduce((total, { amount }) => total + amount, 0);
    const givenOfPartly = partly.reduce((total, one) => total + one.refunded_amount, 0);
    for (const [name, statuses] of [
      ["authorized", ["authorized"]],
      ["canceled", ["canceled", "canceled_by_user", "canceled_by_psp"]],
      ["pending", ["pending", "active"]],
      ["unauthorized", ["unauthorized"]],
    ] as const) {
      const count = items.filter(({ status }) => statuses.some((one) => one === status)).length;
      expect(count).toBeGreaterThan(0);
      expect([name, totals[name]]).toEqual([name, { total_amount: of(statuses), count }]);
    }
    expect(sum("refunded")).toBe(of(["refunded"]) + givenOfPartly);
    expect(sum("received")).toBe(of(["received", "refunding", "partially_refunded"]) - givenOfPartly);
    // One that was given back in part is one of both.
    const countOf = (wanted: readonly string[]) =>
      items.filter(({ status }) => wanted.includes(status)).length;
    expect(partly.length).toBeGreaterThan(0);
    expect(totals.received.count).toBe(countOf(["received", "refunding", "partially_refunded"]));
    expect(totals.refunded.count).toBe(countOf(["refunded", "partially_refunded"]));
    const figures = async (query: Record<string, string>) =>
      (await kit.admin.call(readPayinTotals, { query })).body;
    expect(await figures({ status__in: "pending" })).toMatchObject({
      pending: totals.pending,
      received: { total_amount: 0, count: 0 },
    });
    expect((await figures({ payment_type__in: "pix_static_qrcode" })).received).toEqual({
      total_amount: 123_45,
      count: 1,
    });
    expect((await figures({ created_at__gte: "2099-01-01T00:00:00Z" })).received.count).toBe(0);
    expect((await figures({ created_at__lte: "2024-01-01T03:00:00Z" })).received.count).toBe(0);
    const narrowed = await kit.admin.call(readPayinTotals, { query: { search: "zelia" } });
    expect(narrowed.body.received).toEqual({ total_amount: 123_45, count: 1 });

    await deposit(54_32, { payer_name: "Olga Prado", payer_document: "390.533.447-05" });
    for (const [search, found] of [
      ["390.533.447-05", [54_32]],
      ["533.447", [54_32]],
      // What the mask hides is not found in parts, or a search would reveal it digit by digit.
      ["390.533", []],
      ["44705", []],
    ] as const) {
      expect([search, await only({ search })]).toEqual([search, found]);
    }
  });

  it("PAY-004 pages by number, and by cursor both ways where there are too many to count", async () => {
    const ids = (answer: { items: Payin[] }) => answer.items.map(({ id }) => id);
    const first = await list();
    expect(first.metadata.pagination.next).toBeUndefined();
    await kit.services.db.pool.query(
      `INSERT INTO payins (company_id, id, status, payment_type, amount, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'expired', 'boleto', 1, '2025-01-01T00:00:00Z'::timestamptz - n * interval '1 s', now()
       FROM generate_series(1, 10000) n`,
      [auroraId],
    );
    const many = await list();
    expect(many.metadata.pagination).toMatchObject({ totalItems: 10_001, previous: null });
    expect(ids(many)).toEqual(ids(first));
    const next = await list({ page_cursor: many.metadata.pagination.next });
    expect([...ids(many), ...ids(next)]).toEqual(ids(await list({ page_size: "20" })));
    const back = await list({ page_cursor: next.metadata.pagination.previous });
    expect(ids(back)).toEqual(ids(first));
    expect(back.metadata.pagination).toMatchObject({ previous: null, next: many.metadata.pagination.next });
  });
});

it("PAY-020 PAY-022 a payin shows all there is", async () => {
  const { id } = await received(10_00);
  const now = kit.clock.now();
  const payin = await read(id);
  const { details: _, ...shown } = payin;
  expect(shown).toEqual({
    id,
    status: "received",
    created_at: payin.received_at,
    updated_at: payin.received_at,
    received_at: expect.any(String),
    refund_expires_at: expect.any(String),
    expires_at: null,
    amount: 10_00,
    original_amount: null,
    received_amount: 10_00,
    refunded_amount: 0,
    refundable_amount: 10_00,
    rejected_at: null,
    payer: { name: "Mariana Teles Prado", tax_id: "***.982.247-**" },
    payment_type: "pix_key",
    category: "payment",
    payment_link_id: null,
    paid_twice: false,
    end_to_end_id: expect.stringMatching(/^E\d{8}2026/),
    txid: null,
    payment_link: null,
    message: null,
    infraction_ids: [],
    boleto_url: null,
    receipt_file_url: `/api/payments/app/payins/${id}/receipt`,
    block: null,
  });
  expect(now.getTime() - Date.parse(payin.received_at ?? "")).toBeLessThan(5_000);
  kit.clock.advance({ minutes: 5 });
  await refund(id, 4_00);
  const { created_at, updated_at } = await read(id);
  expect([created_at, updated_at]).toEqual([payin.created_at, kit.clock.now().toISOString()]);
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  const nothing = {
    installments: null,
    digitable_line: null,
    authorization_code: null,
    pix_key: null,
    due_date: null,
    charge_id: null,
    interest_type: null,
    interest_amount: null,
    interest_percent: null,
    fine_type: null,
    fine_amount: null,
    fine_percent: null,
    rejection_reason: null,
  };
  expect(payin.details).toEqual({ ...nothing, pix_key: auroraKey });
  const boleto = await charged(11_00, { kind: "boleto", dueInBusinessDays: 2 });
  expect((await read(boleto)).details).toEqual({
    ...nothing,
    charge_id: boleto,
    digitable_line: expect.stringMatching(/^593[\d. ]+$/),
    due_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  const [sold, refused] = [await soldByCard(12_00), await soldByCard(13_00, expiredCard())];
  const ofCard = { ...nothing, installments: 2 };
  expect((await read(sold)).details).toEqual({
    ...ofCard,
    charge_id: sold,
    authorization_code: expect.stringMatching(/^\d{6}$/),
  });
  expect((await read(refused)).details).toEqual({
    ...ofCard,
    charge_id: refused,
    rejection_reason: "card_expired",
  });
  expect(Date.parse(payin.refund_expires_at ?? "") - Date.parse(payin.received_at ?? "")).toBe(
    90 * 86_400_000,
  );
});

it("PAY-020 distinguishes a transfer of receivables from somebody's payment", async () => {
  const sent = async (purpose: "payment" | "receivables", value: number) => {
    const { body } = await kit.call(sendTed, { body: { company_id: auroraId, value, purpose } });
    await kit.passUntil(body.arrives_at);
    const { items } = await list({ payment_type__in: "ted", search: formatBrl(cents(value)) });
    return items[0].category;
  };
  expect([await sent("receivables", 1_234_57), await sent("payment", 1_234_58)]).toEqual([
    "settlement",
    "payment",
  ]);
});

it("PAY-007 answers nothing of before 2024: neither list nor totals, sheet or details", async () => {
  const old = "0198f000-0000-7000-8000-00000000aaaa";
  await kit.services.db.pool.query(
    `INSERT INTO payins (company_id, id, status, payment_type, amount, payer_name, created_at, updated_at)
     VALUES ($1, $2, 'expired', 'boleto', 77, 'De antes', '2024-01-01T02:59:59Z', now()),
       ($1, gen_random_uuid(), 'expired', 'boleto', 78, 'De antes', '2024-01-01T03:00:00Z', now())`,
    [auroraId, old],
  );
  const query = { search: "De antes", created_at__gte: "2020-01-01T00:00:00Z" };
  expect((await list(query)).items.map(({ amount }: Payin) => amount)).toEqual([78]);
  const totals = await kit.admin.call(readPayinTotals, { query });
  expect(totals.body.expired).toEqual({ total_amount: 78, count: 1 });
  expect((await kit.admin.call(readPayin, { params: { id: old } })).status).toBe(404);
  const { body: asked } = await kit.admin.call(requestPayinReport, { body: query });
  const { body: sheet } = await kit.admin.call(downloadPayinReport, { params: { id: asked.id } });
  expect(sheet.trim().split("\r\n")).toHaveLength(2);
});

it("is traced to what was sold, what its payer wrote and who contests it", async () => {
  const link = "0198f000-0000-7000-8000-00000000bbbb";
  await kit.services.db.pool.query(
    `INSERT INTO payment_links (company_id, id, token, name, description, amount, expires_on, payment_methods, created_at)
     VALUES ($1, $2, 'AAAAAAAAAAAAAAAAAAAAAA', 'Curso de outubro', 'Turma da manhã', 4500, '2099-01-01', '{pix}', now())`,
    [auroraId, link],
  );
  const payer = { name: "Bruno Sales", taxId: "11222333000181" };
  const id = uuidv7();
  await createCharge(kit.services, auroraId, {
    id,
    paymentLinkId: link,
    amount: 45_00,
    payer,
    description: null,
    method: { kind: "pix" },
  });
  expect(await read(id)).toMatchObject({
    payment_link_id: link,
    payment_link: { name: "Curso de outubro", description: "Turma da manhã" },
    txid: id.replaceAll("-", ""),
    receipt_file_url: null,
  });
  const found = async (search: string) => (await list({ search })).items.map((one: Payin) => one.id);
  for (const search of ["curso de outubro", "TURMA DA MANHA", link])
    expect(await found(search)).toEqual([id]);
  const written = await deposit(46_00, { message: "Pedido 991, obrigada" });
  const shown = await payinOf("pedido 991");
  expect(shown).toMatchObject({
    end_to_end_id: written,
    message: "Pedido 991, obrigada",
    infraction_ids: [],
  });
});

it("PAY-020 PAY-033 gives a receipt of what came and of what went back, and of nothing else", async () => {
  const pdf = async (contract: Contract, params: Record<string, string>) => {
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
    const answer = await kit.server.inject({
      url: bases.payments + path,
      headers: { authorization: `Bearer ${kit.analyst.token}` },
    });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/pdf"]);
    return linesOf(answer.rawPayload);
  };
  const e2e = await deposit(100_00, { message: "Sinal do bolo" });
  const { id, receipt_file_url } = await payinOf(e2e);
  expect(receipt_file_url).toBe(`/api/payments/app/payins/${id}/receipt`);
  const lines = await pdf(downloadPayinReceipt, { id });
  expect(lines).toEqual(
    expect.arrayContaining([
      "Comprovante de recebimento",
      "R$ 100,00",
      "Mariana Teles Prado",
      "***.982.247-**",
      "Sinal do bolo",
      e2e,
    ]),
  );
  expect(await pdf(downloadPayinReceipt, { id })).toEqual(lines);
  expect((await kit.stranger.call(downloadPayinReceipt, { params: { id } })).status).toBe(404);

  const { body: asked } = await refund(id, 40_00);
  const params = { id, refund_id: asked.id };
  expect(asked.receipt_file_url).toBeNull();
  expect((await kit.admin.call(downloadRefundReceipt, { params })).body.code).toBe("receipt_missing");
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  expect((await refundsOf(id))[0]).toMatchObject({
    status: "succeeded",
    receipt_file_url: `/api/payments/app/payins/${id}/refunds/${asked.id}/receipt`,
  });
  expect(await pdf(downloadRefundReceipt, params)).toEqual(
    expect.arrayContaining(["Comprovante de devolução", "R$ 40,00", "Pedida pela empresa", asked.id]),
  );
  // A refund of another payin is none of this one.
  const other = await received(12_00);
  const stray = { ...params, id: other.id };
  expect((await kit.admin.call(downloadRefundReceipt, { params: stray })).status).toBe(404);

  const sold = await soldByCard(80_00);
  expect(await pdf(downloadPayinReceipt, { id: sold })).toEqual(
    expect.arrayContaining(["Comprovante de venda no cartão", "Valor da venda", "R$ 80,00", "2x"]),
  );
  const open = await charged(9_00, { kind: "pix" });
  expect(await read(open)).toMatchObject({ receipt_file_url: null });
  expect((await kit.admin.call(downloadPayinReceipt, { params: { id: open } })).body.code).toBe(
    "receipt_missing",
  );
});

it("PAY-036 the list is fetched as a sheet, by who may see it", async () => {
  await deposit(31_00, { payer_name: "=2+3" });
  const body = { search: "2+3", status__in: ["received"] };
  const { body: asked } = await kit.analyst.call(requestPayinReport, { body });
  const params = { id: asked.id };
  const { body: ready } = await kit.analyst.call(readPayinReport, { params });
  expect(ready).toEqual({
    link: `/api/payments/app/payin_reports/${asked.id}/file`,
    filename: expect.stringMatching(/^Recebimentos \d{4}-\d\d-\d\d\.csv$/),
  });
  const { body: text } = await kit.analyst.call(downloadPayinReport, { params });
  const lines = text.trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("31,00");
  expect(lines[1]).not.toMatch(/(^|;)"?=2/);
  const rowsOf = async (filters: object) => {
    const { body: made } = await kit.admin.call(requestPayinReport, { body: { search: "2+3", ...filters } });
    const sheet = await kit.admin.call(downloadPayinReport, { params: { id: made.id } });
    return sheet.body.trim().split("\r\n").length - 1;
  };
  expect([
    await rowsOf({ payment_type__in: ["pix_key"] }),
    await rowsOf({ payment_type__in: ["ted"] }),
    await rowsOf({ created_at__gte: "2099-01-01T00:00:00Z" }),
    await rowsOf({ created_at__lte: "2024-02-01T00:00:00Z" }),
  ]).toEqual([1, 0, 0, 0]);
  for (const contract of [readPayinReport, downloadPayinReport]) {
    expect((await kit.stranger.call(contract, { params })).status).toBe(404);
  }
});
