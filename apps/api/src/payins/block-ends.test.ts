/** Ends of a precautionary block: by its outcome, by the clock, and with late events. */
import { type Payin, readPayinTotals } from "@malote/contracts/payins";
import { blockPix, endPixBlock } from "@malote/contracts/simulator-payins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleEvents } from "../payments/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
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
import { returnMoney, unblockPayin } from "./money.ts";
import { lockPayin, type PayinRow } from "./store.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { deposit, list, fetchPayin, read, refund } = payinCalls(() => kit);
const none = { total_amount: 0, count: 0 };

describe("a precautionary block", () => {
  const block = (endToEndId: string) =>
    kit.call(blockPix, { body: { company_id: auroraId, end_to_end_id: endToEndId } });

  const end = (endToEndId: string, outcome: string) =>
    kit.call(endPixBlock, { body: { company_id: auroraId, end_to_end_id: endToEndId, outcome } });

  it("ends without an alarm if its money was spent, or its end is reported first", async () => {
    const deadLetters = async () =>
      (await kit.services.db.pool.query("SELECT FROM rail_dead_letters WHERE why = 'contradiction'")).rows
        .length;
    const [alarms, early] = [await deadLetters(), await deposit(21_00)];
    const about = { companyId: auroraId, endToEndId: early, at: kit.clock.now().toISOString() };
    await handleEvents(kit.services, [
      { ...about, kind: "block_ended", id: `${early}:first`, outcome: "released" },
      { ...about, kind: "payin_blocked", id: `${early}:second`, reason: "MED" },
    ]);
    expect(await fetchPayin(early)).toMatchObject({ status: "received", block: null });

    const spent = await deposit(22_00);
    const all = await draft(kit.admin, [pix(await fetchBalance(kit.admin))]);
    expect((await closing(kit.admin, all.id)).body.is_batch_paid).toBe(true);
    await block(spent);
    await kit.pass({ hours: 72 });
    expect(await fetchPayin(spent)).toMatchObject({ status: "received", block: null });
    expect(await deadLetters()).toBe(alarms);
  });

  it("ends at the moment it began if a refund or its own end waits for the payin", async () => {
    const [refunded, freed] = [await deposit(23_00), await deposit(24_00)];
    const before = kit.clock.now();
    kit.clock.advance({ seconds: 1 });
    for (const e2e of [refunded, freed]) await block(e2e);
    await kit.pass({ seconds: 1 });
    const late = (e2e: string, act: (tx: Tx, payin: PayinRow) => Promise<boolean>) =>
      kit.services.db.withCompany(auroraId, async (tx) => {
        const payin = await lockPayin(tx, (await fetchPayin(e2e)).id);
        return payin !== undefined && act(tx, payin);
      });
    const requested = { id: uuidv7(), amount: 23_00, nature: "infraction", askAt: null, by: null } as const;
    expect(await late(refunded, (tx, payin) => returnMoney(tx, payin, requested, before))).toBe(true);
    expect(await late(freed, (tx, payin) => unblockPayin(tx, kit.services.jobs, payin, before))).toBe(true);
    for (const [e2e, status] of [
      [refunded, "refunded"],
      [freed, "received"],
    ] as const) {
      const payin = await fetchPayin(e2e);
      expect(payin.status).toBe(status);
      expect(payin.block?.unblocked_at).toBe(payin.block?.blocked_at);
    }
  });

  it("PAY-021 PAY-024 ends in three ways: after the 72 hours, by release, or by a return of the network", async () => {
    const [kept, freed, given] = [await deposit(31_00), await deposit(32_00), await deposit(33_00)];
    const before = await fetchBalance(kit.admin);
    for (const e2e of [kept, freed, given]) await block(e2e);
    await kit.pass({ seconds: 1 });
    expect((await fetchPayin(kept)).block).toMatchObject({ kept_at: null, unblocked_at: null });
    await kit.pass({ seconds: 1 });
    const keptFrom = kit.clock.now();
    await end(kept, "kept");
    await kit.pass({ seconds: 1 });
    const keptUntil = kit.clock.now();
    await kit.pass({ hours: 80 });
    const still = await fetchPayin(kept);
    expect(still).toMatchObject({
      status: "blocked",
      refundable_amount: 31_00,
      block: { kept_at: expect.any(String), unblocked_at: null },
    });
    const since = new Date(still.block?.kept_at ?? 0);
    expect(since >= keptFrom && since <= keptUntil).toBe(true);
    const over = await fetchPayin(freed);
    expect(over).toMatchObject({
      status: "received",
      block: { kept_at: null, unblocked_at: expect.any(String) },
    });
    const { blocked_at = "", unblocked_at } = over.block ?? {};
    const hours = (Date.parse(unblocked_at ?? "") - Date.parse(blocked_at)) / 3_600_000;
    expect(hours >= 72 && hours < 81).toBe(true);
    expect(await fetchBalance(kit.admin)).toBe(before - 31_00);
    await end(kept, "released");
    await kit.pass({ seconds: 1 });
    expect(await fetchPayin(kept)).toMatchObject({
      status: "received",
      block: { kept_at: still.block?.kept_at },
    });
    expect(await fetchBalance(kit.admin)).toBe(before);
    // The block has ended by then, without an answer.
    expect((await fetchPayin(given)).status).toBe("received");
  });

  it("PAY-012 PAY-017 PAY-020 PAY-026 is 'rejected' once the network rejects it, until the payer has the money", async () => {
    await kit.network.changeSettings({ pix_latency_ms: 3_600_000 });
    const e2e = await deposit(34_00);
    await kit.pass({ hours: 1 });
    const before = await fetchBalance(kit.admin);
    const totals = async () => (await kit.admin.call(readPayinTotals, { query: { search: e2e } })).body;
    await block(e2e);
    await kit.pass({ seconds: 1 });
    expect(await totals()).toMatchObject({ blocked: { total_amount: 34_00, count: 1 }, received: none });
    await kit.pass({ seconds: 1 });
    const endedFrom = kit.clock.now();
    await end(e2e, "returned");
    await kit.pass({ seconds: 1 });
    const { id, ...rejected } = await fetchPayin(e2e);
    const rejectedAt = new Date(rejected.rejected_at ?? 0);
    expect(rejectedAt >= endedFrom && rejectedAt <= kit.clock.now()).toBe(true);
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
    expect((await totals()).blocked).toEqual({ total_amount: 34_00, count: 1 });
    await kit.pass({ hours: 1 });
    await kit.network.changeSettings({ pix_latency_ms: 0 });
    expect(await read(id)).toMatchObject({
      status: "refunded",
      refunded_amount: 34_00,
      rejected_at: rejected.rejected_at,
    });
    expect(await fetchBalance(kit.admin)).toBe(before - 34_00);
  });

  it("does not change by reports after its end or about money that was never blocked", async () => {
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
      expect(await fetchPayin(e2e)).toMatchObject({ status: "received", rejected_at: null });
    }
    expect((await fetchPayin(over)).block?.kept_at).toBeNull();
  });

  it("ends automatically after 72 hours, or earlier by a release or a return", async () => {
    const [first, second, third] = [await deposit(11_00), await deposit(12_00), await deposit(13_00)];
    const before = await fetchBalance(kit.admin);
    for (const e2e of [first, second, third]) await block(e2e);
    await kit.pass({ seconds: 1 });
    await end(second, "released");
    await end(third, "returned");
    await kit.pass({ hours: 71 });
    expect((await fetchPayin(first)).status).toBe("blocked");
    expect((await fetchPayin(second)).status).toBe("received");
    expect(await fetchPayin(third)).toMatchObject({ status: "refunded", rejected_at: expect.any(String) });
    await kit.pass({ hours: 1 });
    expect(await fetchPayin(first)).toMatchObject({
      status: "received",
      block: { unblocked_at: expect.any(String) },
    });
    expect(await fetchBalance(kit.admin)).toBe(before - 13_00);
    expect((await block("E-de-ninguem")).status).toBe(404);
  });
});
