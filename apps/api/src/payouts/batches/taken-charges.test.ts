/** One charge in two payments: the second one is refused or fails alone, and no batch stops. */
import { resendFailures, returnFailures } from "@malote/contracts/failures";
import { changeRails } from "@malote/contracts/simulator";
import { changeTransfer, type TransferInput } from "@malote/contracts/transfers";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkBooks, checkRecentBooks } from "../../ledger/check-books.ts";
import { metrics } from "../../platform/http/metrics.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";
import { measurePendingBatches } from "./measure-pending.ts";
import { releaseOverdueBatches } from "./release.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
  await kit.deposit(1_000_00);
});
afterEach(() => kit.close());

const emv = writeDynamicBrCode({
  location: "pix.aurora.invalid/qr/v2/cob/15000/202608132359/01",
  merchantName: "Loja Exemplo Ltda",
  merchantCity: "CURITIBA",
});
let documents = 0;
/** R$ 150,00 for a document of its own each, so that no check needs a confirmation. */
const charge = (): TransferInput => ({
  emv,
  value: null,
  integration_id: `nf-${++documents}`,
  destination_bank_account: {},
});
const query = async (text: string, values: unknown[] = []) =>
  (await kit.services.db.pool.query(text, values)).rows;
/** The network has received and answered the order. */
const arrive = async () => {
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 2 });
};
const key = (name: string) => ({ "idempotency-key": name });

/** The network refused the charge of this batch. */
async function failed() {
  const { id } = await draft(kit.admin, [charge()]);
  await kit.call(changeRails, { body: { failure_percent: 100 } });
  await closing(kit.admin, id);
  await arrive();
  await kit.call(changeRails, { body: { failure_percent: 0 } });
  const { transfers } = await batch(kit.admin, id);
  expect(transfers[0].status).toBe("FAILED");
  return { id, payment: transfers[0].id as string };
}
const retry = (id: string, payment: string) =>
  kit.admin.call(resendFailures, { params: { id }, body: { ids: [payment] } }, key("again"));

describe("a failed payment whose charge is in a batch that was closed later", () => {
  it("TRF-004 is not resent while the batch's payments are not sent", async () => {
    const first = await failed();
    const second = await draft(kit.admin, [charge(), pix(70_00)]);
    await closing(kit.admin, second.id);
    expect((await retry(first.id, first.payment)).body).toMatchObject({
      value: 0,
      data: [{ outcome: "refused" }],
    });
    await arrive();
    expect(await fetchStatuses(kit.admin, second.id)).toEqual(["FINISHED", "FINISHED"]);
  });

  it("TRF-004 is not corrected either", async () => {
    const first = await failed();
    const second = await draft(kit.admin, [charge()]);
    await closing(kit.admin, second.id);
    const answer = await kit.admin.call(
      changeTransfer,
      { params: { id: first.id, tid: first.payment }, body: { ...charge(), value: 150_00 } },
      key("corrected"),
    );
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "transfer_invalid", data: { errors: [{ code: "qr_duplicated" }] } },
    });
  });

  it("TRF-004 is not resent while the batch waits for money", async () => {
    const first = await failed();
    const second = await draft(kit.admin, [charge(), pix(5_000_00)]);
    await closing(kit.admin, second.id);
    expect((await batch(kit.admin, second.id)).status).toBe("WAITING");
    expect((await retry(first.id, first.payment)).body.data).toMatchObject([{ outcome: "refused" }]);
  });
});

/** An earlier release allowed this state: the charge is on its way in one batch, and in another closed one. */
async function taken(others: TransferInput[]) {
  const first = await failed();
  const second = await draft(kit.admin, [charge(), ...others]);
  await closing(kit.admin, second.id);
  const at = kit.clock.now();
  await query("UPDATE batches SET failed_count = 0 WHERE id = $1", [first.id]);
  await query("UPDATE payment_days SET payments = 0 WHERE status = 'FAILED'");
  await query("UPDATE transfers SET status = 'RECEIVED', execute_at = $2 WHERE id = $1", [first.payment, at]);
  return { first, second };
}

describe("a closed batch whose charge another payment took", () => {
  it("is released without that payment, which fails with its reason", async () => {
    const { first, second } = await taken([pix(70_00), pix(30_00)]);
    await arrive();
    expect(await batch(kit.admin, second.id)).toMatchObject({
      status: "RECEIVED",
      paid_count: 2,
      failed_count: 1,
    });
    expect((await batch(kit.admin, second.id)).transfers[0]).toMatchObject({
      status: "FAILED",
      status_description: "A cobrança deste código já foi paga",
      end_to_end_id: null,
    });
    expect(await fetchStatuses(kit.admin, first.id)).toEqual(["FINISHED"]);
  });

  it("returns the money of that payment as of any failed payment", async () => {
    const { second } = await taken([pix(70_00)]);
    await arrive();
    const { transfers } = await batch(kit.admin, second.id);
    await kit.admin.call(
      returnFailures,
      { params: { id: second.id }, body: { ids: [transfers[0].id] } },
      key("back"),
    );
    expect(await batch(kit.admin, second.id)).toMatchObject({ status: "FINISHED", returned_count: 1 });
    expect(await fetchBalance(kit.admin)).toBe(1_000_00 - 150_00 - 70_00);
  });

  it("is settled immediately if it has no other payment", async () => {
    const { second } = await taken([]);
    await arrive();
    const events = await query("SELECT type FROM event_log WHERE object_id = $1", [second.id]);
    expect(events.map(({ type }) => type)).toContain("batch.settled");
  });

  it("is released on schedule if its job is lost", async () => {
    const { second } = await taken([pix(70_00)]);
    kit.enqueued.splice(0);
    kit.clock.advance({ seconds: 31 });
    await releaseOverdueBatches(kit.services);
    expect(await fetchStatuses(kit.admin, second.id)).toEqual(["FAILED", "RECEIVED"]);
  });
});

describe("a closed batch that is not released", () => {
  const rule = "a closed batch is under way within a quarter of an hour";
  const stuck = async (minutes: number) => {
    const { id } = await draft(kit.admin, [pix(70_00)]);
    await closing(kit.admin, id);
    kit.enqueued.splice(0);
    kit.clock.advance({ minutes });
    return id;
  };
  afterEach(() => releaseOverdueBatches(kit.services));
  const rulesBroken = async () => (await checkBooks(kit.services.db, kit.clock.now())).map((one) => one.rule);

  it("is no fault of the books for a quarter of an hour", async () => {
    await stuck(15);
    expect(await rulesBroken()).toEqual([]);
  });

  it("is a fault of the books from then on", async () => {
    const id = await stuck(16);
    expect(await checkBooks(kit.services.db, kit.clock.now())).toEqual([
      { rule, companyId: auroraId, where: id },
    ]);
  });

  it("is found by the check of the minute, although none of its rows changed", async () => {
    await stuck(16);
    const rows = await query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS now");
    const horizon = Number(rows[0]?.["now"]) + 2_000;
    const faults = await kit.services.db.withSystem((tx) => checkRecentBooks(tx, horizon, kit.clock.now()));
    expect(faults.map((one) => one.rule)).toEqual([rule]);
  });

  it("is a metric that raises an alarm", async () => {
    await stuck(16);
    await measurePendingBatches(kit.services);
    expect(await metrics.metrics()).toContain("\nmalote_pending_batch_oldest_seconds 960\n");
  });

  it("is cleared once it is released", async () => {
    await stuck(16);
    await releaseOverdueBatches(kit.services);
    await measurePendingBatches(kit.services);
    expect(await metrics.metrics()).toContain("\nmalote_pending_batch_oldest_seconds 0\n");
  });

  it("is logged with its company if every try fails", async () => {
    const id = await stuck(16);
    const logged: unknown[] = [];
    kit.services.log.error = (fact: unknown) => void logged.push(fact);
    const jobs = { ...kit.services.jobs, enqueue: () => Promise.reject(new Error("no queue")) };
    await releaseOverdueBatches({ ...kit.services, jobs });
    expect(logged).toMatchObject([{ company: auroraId, batch: id }]);
  });
});
