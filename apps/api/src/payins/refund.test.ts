/** Refunds of a payin over HTTP: permissions, amounts and outcomes. */
import { randomUUID } from "node:crypto";
import { listPayinRefunds, readPayin, readPayinTotals, refundPayin } from "@malote/contracts/payins";
import { sendTed } from "@malote/contracts/simulator-payins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payinCalls } from "../testing/payins-kit.ts";
import {
  auroraId,
  closing,
  draft,
  fetchBalance,
  openPayments,
  type PaymentsKit,
  pix,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { list, read, refund, fetchRefunds, received, withPermissions, soldByCard } = payinCalls(() => kit);

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
    expect(await fetchRefunds(id)).toEqual([]);
    // A person with the refund permission returns it, without the permission to answer contestations.
    await withPermissions(["platform_access", "payin_refund", "payout_pix_refund"], async () => {
      expect((await refund(id, 1)).status).toBe(200);
    });
  });

  it("PAY-026 PAY-031 a refund that exceeds the rest, is zero, is late, or is for a payin that cannot be refunded", async () => {
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
});

describe("a refund", () => {
  it("PAY-032 PAY-033 PAY-035 FST-024 leaves the balance immediately, is sent once per key, and is a checkpoint", async () => {
    const { id, payer, end_to_end_id } = await received(100_00);
    expect(payer).toEqual({ name: "Mariana Teles Prado", tax_id: "***.982.247-**" });
    const before = await fetchBalance(kit.admin);
    const key = randomUUID();
    kit.clock.advance({ minutes: 1 });
    const askedAt = kit.clock.now();
    const [first, second] = await Promise.all([
      refund(id, 30_00, kit.operator, key),
      refund(id, 30_00, kit.operator, key),
    ]);
    expect([first.status, second.status]).toContain(200);
    const again = await refund(id, 30_00, kit.operator, key);
    expect(again.body).toMatchObject({ amount: 30_00, status: "processing", error: null });
    expect(await fetchBalance(kit.admin)).toBe(before - 30_00);
    expect(await read(id)).toMatchObject({ status: "refunding", refundable_amount: 70_00 });
    // PAY-017: the status is "received" until the refund has left.
    const query = { search: end_to_end_id ?? "" };
    expect((await kit.admin.call(readPayinTotals, { query })).body).toMatchObject({
      received: { total_amount: 100_00, count: 1 },
      refunded: { total_amount: 0, count: 0 },
    });
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
    const since = Date.parse(refunds[1].created_at) - askedAt.getTime();
    expect(since >= 0 && since < 60_000).toBe(true);
    expect(refunds[1]).toEqual({
      id: again.body.id,
      amount: 30_00,
      created_at: again.body.created_at,
      receipt_file_url: `/api/payments/app/payins/${id}/refunds/${again.body.id}/receipt`,
      status: "succeeded",
      error: null,
    });
    expect(refunds.map((one) => [one.amount, one.status])).toEqual([
      [70_00, "succeeded"],
      [30_00, "succeeded"],
    ]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT FROM checkpoints WHERE checkpoint_id = 'PAYIN_REFUNDED'",
    );
    expect(rows.length).toBe(2);
  });

  it("PAY-034 returns the money to the balance, with the reason, when the network refuses it", async () => {
    const { id } = await received(66_01);
    const before = await fetchBalance(kit.admin);
    expect((await refund(id, 66_01)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await fetchBalance(kit.admin)).toBe(before);
    expect(await read(id)).toMatchObject({
      status: "received",
      refunded_amount: 0,
      refundable_amount: 66_01,
    });
    expect(await fetchRefunds(id)).toMatchObject([
      { status: "failed", error: "A conta do pagador foi encerrada." },
    ]);
  });

  it("is requested again under its id when its answers are lost, and made once", async () => {
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

  it("never exceeds the received amount or the balance, with many concurrent refunds", async () => {
    const { id } = await received(50_00);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(id, 20_00)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await read(id)).toMatchObject({ refunded_amount: 40_00 });
    const rich = await received(500_00);
    const other = await received(40_00);
    const rest = await fetchBalance(kit.admin);
    const spent = await draft(kit.admin, [pix(rest - 10_00)]);
    expect((await closing(kit.admin, spent.id)).body.is_batch_paid).toBe(true);
    expect((await refund(other.id, 40_00)).body.code).toBe("insufficient_balance");
    expect(await read(other.id)).toMatchObject({ status: "received", refunded_amount: 0 });
    expect((await refund(rich.id, 10_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
  });

  it("PAY-026 PAY-028 covers only a whole card sale, for 180 days, and removes its receivables", async () => {
    const id = await soldByCard(90_00);
    const sale = await read(id);
    expect(sale).toMatchObject({
      status: "authorized",
      refundable_amount: 90_00,
      details: { installments: 2 },
    });
    const days = (Date.parse(sale.refund_expires_at ?? "") - Date.parse(sale.created_at)) / 86_400_000;
    expect(Math.round(days)).toBe(180);
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
