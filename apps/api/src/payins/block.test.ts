/** Start of a precautionary block, and its effect on refunds under way. */
import { blockPix, endPixBlock } from "@malote/contracts/simulator-payins";
import type { StatementEntry } from "@malote/contracts/statement";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payinCalls } from "../testing/payins-kit.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { deposit, fetchPayin, read, refund, withPermissions } = payinCalls(() => kit);

describe("a precautionary block", () => {
  const block = (endToEndId: string) =>
    kit.call(blockPix, { body: { company_id: auroraId, end_to_end_id: endToEndId } });

  const end = (endToEndId: string, outcome: string) =>
    kit.call(endPixBlock, { body: { company_id: auroraId, end_to_end_id: endToEndId, outcome } });

  it("PAY-021 PAY-027 PAY-028 holds the money, which can be returned whole without the permission to refund", async () => {
    const e2e = await deposit(30_00);
    const before = await fetchBalance(kit.admin);
    const askedAt = kit.clock.now();
    expect((await block(e2e)).status).toBe(200);
    await kit.pass({ seconds: 1 });
    expect(await fetchBalance(kit.admin)).toBe(before - 30_00);
    const { id, ...blocked } = await fetchPayin(e2e);
    expect(blocked).toMatchObject({
      status: "blocked",
      refundable_amount: 30_00,
      block: { block_reason: "Suspeita de fraude", amount: 30_00, unblocked_at: null },
    });
    const blockedAt = new Date(blocked.block?.blocked_at ?? 0);
    expect(blockedAt >= askedAt && blockedAt <= kit.clock.now()).toBe(true);
    expect((await refund(id, 10_00)).body.code).toBe("refund_only_in_full");
    kit.clock.advance({ minutes: 5 });
    await withPermissions(["platform_access"], async () => {
      expect((await refund(id, 30_00)).status).toBe(200);
    });
    // The refund lifts it.
    const liftedAt = kit.clock.now().toISOString();
    expect((await read(id)).block).toEqual({ ...blocked.block, unblocked_at: liftedAt });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await read(id)).toMatchObject({ status: "refunded", block: { unblocked_at: liftedAt } });
    expect(await fetchBalance(kit.admin)).toBe(before - 30_00);
  });

  it("PAY-027 PAY-028 covers a Pix that was refunded in part, or is being refunded in part", async () => {
    const [first, second] = [await deposit(100_00), await deposit(200_00)];
    // One refund fails at once; the network needs an hour for the other.
    await refund((await fetchPayin(first)).id, 1_00);
    await refund((await fetchPayin(second)).id, 66_03);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const before = await fetchBalance(kit.admin);
    for (const [e2e, rest] of [
      [first, 99_00],
      [second, 133_97],
    ] as const) {
      await block(e2e);
      await kit.pass({ seconds: 1 });
      const { id, ...blocked } = await fetchPayin(e2e);
      expect(blocked).toMatchObject({ status: "blocked", refundable_amount: rest, block: { amount: rest } });
      expect((await refund(id, 1)).body.code).toBe("refund_only_in_full");
      expect((await fetchPayin(e2e)).block?.unblocked_at).toBeNull();
    }
    expect(await fetchBalance(kit.admin)).toBe(before - 99_00 - 133_97);
    await kit.pass({ hours: 2 });
    expect(await fetchPayin(second)).toMatchObject({ status: "blocked", refunded_amount: 66_03 });
    await withPermissions(["platform_access"], async () => {
      expect((await refund((await fetchPayin(first)).id, 99_00)).status).toBe(200);
    });
    await end(second, "released");
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect((await fetchPayin(first)).status).toBe("refunded");
    expect((await fetchPayin(second)).status).toBe("partially_refunded");
    expect(await fetchBalance(kit.admin)).toBe(before - 99_00);
  });

  it("PAY-021 resumes each time the refund that lifted it fails, until it ends", async () => {
    const e2e = await deposit(66_01);
    const before = await fetchBalance(kit.admin);
    await block(e2e);
    await kit.pass({ seconds: 1 });
    const { id, block: first } = await fetchPayin(e2e);
    for (let times = 0; times < 2; times++) {
      expect((await refund(id, 66_01)).status).toBe(200);
      expect((await read(id)).status).toBe("refunding");
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      expect(await read(id)).toMatchObject({
        status: "blocked",
        refunded_amount: 0,
        block: { amount: 66_01, blocked_at: first?.blocked_at, unblocked_at: null },
      });
      expect(await fetchBalance(kit.admin)).toBe(before - 66_01);
    }
    await kit.pass({ hours: 72 });
    expect((await read(id)).status).toBe("received");
    expect(await fetchBalance(kit.admin)).toBe(before);
  });

  it("STM-012 STM-018 is in the statement like its refund and its end, each movement by its own type", async () => {
    // The payer's bank refuses every refund of this amount.
    const e2e = await deposit(66_01);
    await block(e2e);
    await kit.pass({ seconds: 1 });
    expect((await refund((await fetchPayin(e2e)).id, 66_01)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    await end(e2e, "released");
    await kit.pass({ seconds: 1 });
    const { entries }: { entries: StatementEntry[] } = await fetchStatement(kit.admin);
    const own = entries.filter(({ complement }) => complement.end_to_end_id === e2e).toReversed();
    expect(own.map(({ type, value, complement }) => [type, value, complement.isPix])).toEqual([
      ["DEPOSIT", 66_01, true],
      ["BLOCKED", -66_01, true],
      // The refund releases the money and sends it, and its failure returns and blocks it again.
      ["BLOCKED_REFUND", 66_01, true],
      ["DEPOSIT_REFUND", -66_01, true],
      ["CANCELLED_DEPOSIT_REFUND", 66_01, true],
      ["BLOCKED", -66_01, true],
      ["BLOCKED_REFUND", 66_01, true],
    ]);
  });

  it("stays ended if it ends during a refund, also if that fails", async () => {
    const [kept, given] = [await deposit(66_01), await deposit(66_01)];
    const before = await fetchBalance(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [kept, given]) {
      await block(e2e);
      await kit.pass({ seconds: 1 });
      await refund((await fetchPayin(e2e)).id, 66_01);
    }
    await kit.drainJobs();
    await end(kept, "released");
    await end(given, "returned");
    await kit.pass({ seconds: 1 });
    for (const e2e of [kept, given]) expect((await fetchPayin(e2e)).status).toBe("refunding");
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 2 });
    expect((await fetchPayin(kept)).status).toBe("received");
    expect((await fetchPayin(given)).status).toBe("refunded");
    expect(await fetchBalance(kit.admin)).toBe(before - 66_01);
  });

  it("covers the money of refunds that were under way when it began, and fail", async () => {
    const [part, whole] = [await deposit(100_00), await deposit(66_01)];
    const before = await fetchBalance(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [part, whole]) await refund((await fetchPayin(e2e)).id, 66_01);
    await kit.drainJobs();
    for (const e2e of [part, whole]) await block(e2e);
    await kit.pass({ seconds: 1 });
    expect(await fetchPayin(part)).toMatchObject({ status: "blocked", block: { amount: 33_99 } });
    expect(await fetchPayin(whole)).toMatchObject({ status: "refunding", block: null });
    await kit.pass({ hours: 1 });
    for (const [e2e, amount] of [
      [part, 100_00],
      [whole, 66_01],
    ] as const) {
      expect(await fetchPayin(e2e)).toMatchObject({
        status: "blocked",
        refunded_amount: 0,
        block: { block_reason: "Suspeita de fraude", amount, unblocked_at: null },
      });
    }
    expect(await fetchBalance(kit.admin)).toBe(before - 100_00 - 66_01);
    await end(part, "returned");
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 72 });
    expect((await fetchPayin(part)).status).toBe("refunded");
    expect((await fetchPayin(whole)).status).toBe("received");
    expect(await fetchBalance(kit.admin)).toBe(before - 100_00);
  });

  it("leaves the money of a failed refund available, or returns all of it, if it begins and ends during the refund", async () => {
    const [freed, given] = [await deposit(100_00), await deposit(100_00)];
    const before = await fetchBalance(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    for (const e2e of [freed, given]) await refund((await fetchPayin(e2e)).id, 66_01);
    await kit.drainJobs();
    for (const e2e of [freed, given]) await block(e2e);
    await kit.pass({ seconds: 1 });
    await end(freed, "released");
    await end(given, "returned");
    await kit.pass({ seconds: 1 });
    expect((await fetchPayin(freed)).status).toBe("refunding");
    // The amount to return is not known yet.
    expect((await fetchPayin(given)).status).toBe("rejected");
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    await kit.pass({ hours: 2 });
    expect((await fetchPayin(freed)).status).toBe("received");
    expect(await fetchPayin(given)).toMatchObject({ status: "refunded", refunded_amount: 100_00 });
    expect(await fetchBalance(kit.admin)).toBe(before - 100_00);
  });

  it("covers several failed refunds in turn, those that it released and earlier ones", async () => {
    const e2e = await deposit(132_02);
    const before = await fetchBalance(kit.admin);
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    const { id } = await fetchPayin(e2e);
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
    expect(await fetchBalance(kit.admin)).toBe(before - 132_02);
    await kit.pass({ hours: 72 });
    expect((await read(id)).status).toBe("received");
    expect(await fetchBalance(kit.admin)).toBe(before);
  });
});
