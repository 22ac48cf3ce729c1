/** Moments of a payment and a payin, recorded from events and read with the details. */
import { randomUUID } from "node:crypto";
import { cancelScheduledBatch } from "@malote/contracts/batch-life";
import { type HistoryEntry, readPayinHistory, readPaymentHistory } from "@malote/contracts/history";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { removePaymentLink } from "@malote/contracts/payment-links";
import { blockPix, endPixBlock } from "@malote/contracts/simulator-payins";
import { changeTransfer, refundTransfer } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chargeMagicValues } from "../adapters/sandbox/charges/index.ts";
import { relayEvents } from "../platform/events/relay.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { auroraId, batch, openPayments, type PaymentsKit, paidFor, pix } from "../testing/payments-kit.ts";
import { recordHistory } from "./record.ts";

const helena = "Helena Prado";
const rui = "Rui Tavares";

let kit: PaymentsKit;
/** Time at which this installation began to record histories. */
let began: string;
beforeEach(async () => {
  kit = await openPayments();
  const { rows } = await kit.services.db.pool.query<{ since_at: Date }>(
    "SELECT since_at FROM event_subscribers WHERE name = 'object-history'",
  );
  began = rows[0]?.since_at.toISOString() ?? "";
});
afterEach(() => kit.close());

const badKey = (value: number) =>
  pix(value, { destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } });
const key = () => ({ "idempotency-key": randomUUID() });
const settle = async () => {
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
};
const fetchFirst = async (batchId: string) => (await batch(kit.admin, batchId)).transfers[0];
const fetchAnswer = (contract: typeof readPaymentHistory | typeof readPayinHistory, id: string, page = 0) =>
  kit.admin.call(contract, { params: { id }, query: { page: String(page) } });
/** The moments are listed oldest first. */
const paymentHistory = async (id: string): Promise<HistoryEntry[]> =>
  (await fetchAnswer(readPaymentHistory, id)).body.items.toReversed();
const payinHistory = async (id: string): Promise<HistoryEntry[]> =>
  (await fetchAnswer(readPayinHistory, id)).body.items.toReversed();
const wordsOf = (items: readonly HistoryEntry[]) => items.map(({ what }) => what);
const forget = () => kit.services.db.pool.query("DELETE FROM object_history");

async function received(value: number) {
  const endToEndId = await kit.deposit(value);
  const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
  return { endToEndId, id: items[0].id as string };
}

describe("refuses", () => {
  it("a caller who is not signed in, has no permission to read payments, or belongs to another company", async () => {
    const payment = await fetchFirst(await paidFor(kit, [pix(10_00)], 10_00));
    const { id: payinId } = await received(5_00);
    const validation = await kit.as("helena@aurora.example", "validation");
    for (const [contract, id] of [
      [readPaymentHistory, payment.id],
      [readPayinHistory, payinId],
    ] as const) {
      const input = { params: { id }, query: {} };
      expect((await kit.call(contract, input)).status).toBe(401);
      expect((await validation.call(contract, input)).status).toBe(403);
      expect((await kit.stranger.call(contract, input)).body.code).toBe("not_found");
      expect((await kit.analyst.call(contract, input)).status).toBe(200);
    }
  });

  it("an unknown id, and an id of the other kind", async () => {
    const payment = await fetchFirst(await paidFor(kit, [pix(10_00)], 10_00));
    expect((await fetchAnswer(readPaymentHistory, randomUUID())).body.code).toBe("not_found");
    expect((await fetchAnswer(readPayinHistory, payment.id)).body.code).toBe("not_found");
  });
});

describe("a payment", () => {
  it("shows that it fails, is resent, fails again and is returned, each with its person and reason", async () => {
    const batchId = await paidFor(kit, [badKey(10_00)], 10_00);
    await settle();
    const { id } = await fetchFirst(batchId);
    const params = { id: batchId, tid: id };
    expect((await kit.admin.call(changeTransfer, { params, body: badKey(10_00) })).status).toBe(200);
    await kit.drainJobs();
    await settle();
    expect((await kit.admin.call(refundTransfer, { params }, key())).status).toBe(200);
    await kit.drainJobs();

    const items = await paymentHistory(id);
    expect(wordsOf(items)).toEqual([
      "payment.created",
      "batch.closed",
      "batch.released",
      "payment.sent",
      "payment.failed",
      "payment.sent_again",
      "payment.sent",
      "payment.failed",
      "payment.given_back",
    ]);
    const [created, closed, released, sent, failed, again, second, , back] = items;
    expect(created).toMatchObject({ kept: false, amount: null });
    expect(closed).toMatchObject({ kept: true, actor: { kind: "user", name: helena } });
    expect(released).toMatchObject({ kept: true, actor: { kind: "system", name: null } });
    expect(sent).toMatchObject({ attempt: 1, amount: 10_00, status: "EXECUTING" });
    expect(failed).toMatchObject({ actor: { kind: "network" }, status: "FAILED" });
    expect(failed?.reason).toBeTruthy();
    // The payment was resent unchanged, so no moment reports a correction.
    expect(again).toMatchObject({ actor: { kind: "user", name: helena }, scheduled_for: null, reason: null });
    expect(second).toMatchObject({ attempt: 2 });
    expect(back).toMatchObject({ actor: { kind: "user", name: helena }, amount: 10_00 });
  });

  it("shows its arrival once and finally, and has empty pages past its end", async () => {
    const { id } = await fetchFirst(await paidFor(kit, [pix(10_00)], 10_00));
    await settle();
    const items = await paymentHistory(id);
    expect(wordsOf(items)).toEqual([
      "payment.created",
      "batch.closed",
      "batch.released",
      "payment.sent",
      "payment.settled",
    ]);
    expect(items.at(-1)).toMatchObject({ status: "FINISHED", amount: 10_00, actor: { kind: "network" } });
    expect((await fetchAnswer(readPaymentHistory, id, 1)).body).toEqual({
      items: [],
      kept_since: began,
      missing: null,
      metadata: { pagination: { itemsPerPage: 50, totalItems: 5 } },
    });
  });

  it("shows who cancelled its batch", async () => {
    const batchId = await paidFor(kit, [pix(10_00, { payment_date: "2026-08-20" })], 10_00);
    await kit.drainJobs();
    const { id } = await fetchFirst(batchId);
    const cancelled = await kit.admin.call(cancelScheduledBatch, { params: { id: batchId } }, key());
    expect(cancelled.status).toBe(200);
    await kit.drainJobs();
    expect((await paymentHistory(id)).at(-1)).toMatchObject({
      what: "batch.cancelled",
      kept: true,
      actor: { kind: "user", name: helena },
    });
  });

  it("shows only the times in its row if it is older than the history", async () => {
    const batchId = await paidFor(kit, [badKey(10_00), pix(5_00)], 15_00);
    await settle();
    const [bad, good] = (await batch(kit.admin, batchId)).transfers;
    await forget();
    const items = await paymentHistory(bad.id);
    expect(wordsOf(items)).toEqual(["payment.created", "payment.failed"]);
    expect(items[1]).toMatchObject({ kept: false, reason: bad.status_description, actor: null });
    expect(wordsOf(await paymentHistory(good.id))).toEqual(["payment.created", "payment.settled"]);
    // Later moments are recorded, in addition to those of the row.
    const params = { id: batchId, tid: bad.id };
    await kit.admin.call(refundTransfer, { params }, key());
    await kit.drainJobs();
    expect((await paymentHistory(bad.id)).map(({ what, kept }) => [what, kept])).toEqual([
      ["payment.created", false],
      ["payment.failed", false],
      ["payment.given_back", true],
    ]);
  });
});

describe("reports what is missing", () => {
  const fetchProgress = async (contract: typeof readPaymentHistory | typeof readPayinHistory, id: string) => {
    const { kept_since, missing } = (await fetchAnswer(contract, id)).body;
    return { kept_since, missing };
  };
  const query = (text: string, values?: unknown[]) => kit.services.db.pool.query(text, values);

  it("for an event that no subscriber has handled yet, in the outbox or in the log, but not for other objects", async () => {
    const { id } = await received(100_00);
    const other = await received(50_00);
    await settle();
    expect(await fetchProgress(readPayinHistory, id)).toEqual({ kept_since: began, missing: null });
    await kit.operator.call(refundPayin, { params: { id }, body: { amount: 30_00 } }, key());
    expect(await fetchProgress(readPayinHistory, id)).toEqual({ kept_since: began, missing: "late" });
    await relayEvents(kit.services.db);
    expect(await fetchProgress(readPayinHistory, id)).toEqual({ kept_since: began, missing: "late" });
    expect((await fetchProgress(readPayinHistory, other.id)).missing).toBeNull();
    await kit.drainJobs();
    expect((await fetchProgress(readPayinHistory, id)).missing).toBeNull();
  });

  it("for a payment after a failed event, also one of its batch", async () => {
    const batchId = await paidFor(kit, [badKey(10_00), pix(5_00)], 15_00);
    await settle();
    const [bad, good] = (await batch(kit.admin, batchId)).transfers;
    // The state that a subscriber leaves when its handler throws.
    const deadLetter = (type: string, objectId: string) =>
      query(
        `INSERT INTO event_dead_letters (company_id, subscriber, position, object_kind, object_id, tries, since, try_at, dead_at)
         SELECT company_id, 'object-history', position, object_kind, object_id, 10, at, at, at FROM event_log
         WHERE type = $1 AND object_id = $2 LIMIT 1`,
        [type, objectId],
      );
    expect((await deadLetter("payment.failed", bad.id)).rowCount).toBe(1);
    expect((await fetchProgress(readPaymentHistory, bad.id)).missing).toBe("stuck");
    expect((await fetchProgress(readPaymentHistory, good.id)).missing).toBeNull();
    expect((await deadLetter("batch.released", batchId)).rowCount).toBe(1);
    expect((await fetchProgress(readPaymentHistory, good.id)).missing).toBe("stuck");
    await query("DELETE FROM event_dead_letters");
    expect((await fetchProgress(readPaymentHistory, bad.id)).missing).toBeNull();
  });

  it("for an object from an older version, with the start of the history if it is known", async () => {
    const { id } = await received(5_00);
    await query("UPDATE event_subscribers SET since_at = NULL");
    expect((await fetchProgress(readPayinHistory, id)).kept_since).toBeNull();
  });
});

describe("a payin", () => {
  it("PAY-020 shows its arrival, its block, its release and its partial refund", async () => {
    const { id, endToEndId } = await received(100_00);
    const params = { company_id: auroraId, end_to_end_id: endToEndId };
    expect((await kit.call(blockPix, { body: params })).status).toBe(200);
    await settle();
    expect((await kit.call(endPixBlock, { body: { ...params, outcome: "released" } })).status).toBe(200);
    await settle();
    const refund = { params: { id }, body: { amount: 30_00 } };
    expect((await kit.operator.call(refundPayin, refund, key())).status).toBe(200);
    await kit.drainJobs();
    await settle();

    const items = await payinHistory(id);
    expect(wordsOf(items)).toEqual([
      "payin.received",
      "payin.blocked",
      "payin.unblocked",
      "payin.refund_asked",
      "payin.refunded",
    ]);
    expect(items.every(({ kept }) => kept)).toBe(true);
    expect(items.map(({ amount }) => amount)).toEqual([100_00, 100_00, 100_00, 30_00, 30_00]);
    expect(items[3]?.actor).toEqual({ kind: "user", name: rui });
    expect(items[4]?.actor).toEqual({ kind: "network", name: null });

    await forget();
    expect(wordsOf(await payinHistory(id)).toSorted()).toEqual(wordsOf(items).toSorted());
  });

  it("shows why the network refused its refund", async () => {
    const { id } = await received(66_01);
    await kit.admin.call(refundPayin, { params: { id }, body: { amount: 66_01 } }, key());
    await kit.drainJobs();
    await settle();
    expect((await payinHistory(id)).at(-1)).toMatchObject({
      what: "payin.refund_failed",
      amount: 66_01,
      reason: "A conta do pagador foi encerrada.",
      kept: true,
    });
  });
});

describe("a charge of a link", () => {
  const { settings, makeLink, paid, pix, byCard } = checkoutCalls(
    () => kit,
    () => "10.0.0.1",
  );
  beforeEach(() => settings({ hasBoletoCharge: true, hasCardCharge: true }));
  const fetchPayin = async (link: { id: string }): Promise<string> => {
    const { items } = (await kit.admin.call(listPayins, { query: { search: link.id } })).body;
    expect(items).toHaveLength(1);
    return items[0].id;
  };
  const amountsOf = (items: readonly HistoryEntry[]) => items.map(({ what, amount }) => [what, amount]);

  it("shows the authorisation of its card and each received instalment", async () => {
    const link = await makeLink();
    await paid(link.token, byCard({}, 3));
    await kit.drainJobs();
    const id = await fetchPayin(link);
    for (let instalment = 0; instalment < 3; instalment++) await kit.pass({ days: 35 });

    const items = await payinHistory(id);
    expect(amountsOf(items)).toEqual([
      ["payin.created", null],
      ["payin.authorized", 150_00],
      ["payin.instalment_received", 50_00],
      ["payin.instalment_received", 50_00],
      ["payin.instalment_received", 50_00],
    ]);
    expect(items.slice(1).every(({ actor, kept }) => kept && actor?.kind === "network")).toBe(true);
    // The row holds the time when all the money had arrived, and not the steps before.
    await forget();
    expect(amountsOf(await payinHistory(id))).toEqual([
      ["payin.created", null],
      ["payin.received", 150_00],
    ]);
  });

  it("ends with the code of the card's bank that refuses it, also if only the row has it", async () => {
    const stolen = chargeMagicValues.find(({ outcome }) => outcome.includes("roubado"))?.value;
    const link = await makeLink();
    expect((await paid(link.token, byCard({ number: stolen }))).state).toBe("refused");
    await kit.drainJobs();
    const id = await fetchPayin(link);
    const refused = { what: "payin.ended", status: "unauthorized", reason: "card_stolen" };
    expect((await payinHistory(id)).at(-1)).toMatchObject({
      ...refused,
      kept: true,
      amount: 150_00,
      actor: { kind: "network", name: null },
    });
    await forget();
    expect((await payinHistory(id)).at(-1)).toMatchObject({ ...refused, kept: false, amount: null });
  });

  it("shows how it ended when it expires or its link is deleted", async () => {
    const [late, deleted] = [await makeLink(), await makeLink()];
    await paid(late.token, pix);
    await paid(deleted.token, pix);
    const [lateId, deletedId] = [await fetchPayin(late), await fetchPayin(deleted)];
    expect((await kit.admin.call(removePaymentLink, { params: { id: deleted.id } })).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ hours: 24, seconds: 1 });
    for (const [id, status] of [
      [lateId, "expired"],
      [deletedId, "canceled_by_user"],
    ] as const) {
      const items = await payinHistory(id);
      expect(wordsOf(items)).toEqual(["payin.created", "payin.ended"]);
      expect(items[1]).toMatchObject({ status, amount: 150_00, reason: null, kept: true });
    }
  });
});

it("stores an event that is handled twice once, and permits no change or removal of a row", async () => {
  const { id } = await fetchFirst(await paidFor(kit, [pix(10_00)], 10_00));
  await settle();
  const before = await paymentHistory(id);
  const { rows } = await kit.services.db.pool.query<StoredEvent<"payment.settled">>(
    `SELECT position, id, type, object_id AS "objectId", payload, at FROM event_log WHERE type = 'payment.settled'`,
  );
  expect(rows).toHaveLength(1);
  const { db } = kit.services;
  await db.withCompany(auroraId, (tx) => recordHistory(tx, rows));
  await db.withCompany(auroraId, (tx) => recordHistory(tx, rows));
  expect(await paymentHistory(id)).toEqual(before);
  for (const change of [sql`UPDATE object_history SET reason = 'x'`, sql`DELETE FROM object_history`])
    await expect(db.withCompany(auroraId, (tx) => change.execute(tx))).rejects.toThrow("permission denied");
});
