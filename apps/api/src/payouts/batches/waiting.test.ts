/** Batches that wait for money: the order of payment, and the ends of the wait. */

import { deleteBatch, enableBatchEdit, sendBatchToApproval } from "@malote/contracts/batch-life";
import { listWaitingBatches } from "@malote/contracts/batches";
import { addTransfer } from "@malote/contracts/transfers";

import { afterEach, beforeEach, expect, it } from "vitest";

import type { Person } from "../../testing/app.ts";
import {
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const fetchStatus = async (id: string) => (await batch(kit.admin, id)).status;
const reopen = (by: Person, id: string) => by.call(enableBatchEdit, { params: { id } });
const remove = (by: Person, id: string) => by.call(deleteBatch, { params: { id } });

it("BAT-060 BAT-079 BAT-080 releases waiting batches whole and oldest first, and lets no younger one overtake", async () => {
  const ids: string[] = [];
  for (const value of [100_00, 30_00, 50_00]) {
    const { id } = await draft(kit.admin, [pix(value)]);
    expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(false);
    ids.push(id);
    await kit.pass({ seconds: 1 });
  }
  const statuses = () => Promise.all(ids.map(fetchStatus));
  await kit.deposit(90_00);
  expect(await statuses()).toEqual(["WAITING", "WAITING", "WAITING"]);
  const waiting = (await kit.analyst.call(listWaitingBatches)).body;
  expect(waiting).toMatchObject({ total: 180_00, balance: 90_00, missing: 90_00 });
  expect(waiting.data.map((one) => one.id)).toEqual(ids);
  await kit.deposit(45_00);
  expect(await statuses()).toEqual(["RECEIVED", "RECEIVED", "WAITING"]);
  expect(await fetchBalance(kit.admin)).toBe(5_00);
  await draft(kit.admin, [pix(7_00)]);
  // A batch that waits for an approval does not wait for money.
  const requested = await draft(kit.operator, [pix(9_00)]);
  await kit.operator.call(sendBatchToApproval, { params: { id: requested.id }, body: {} });
  expect(await fetchStatus(requested.id)).toBe("WAITING_APPROVAL");
  const left = (await kit.analyst.call(listWaitingBatches)).body;
  expect(left).toMatchObject({ data: [{ id: ids[2] }], total: 50_00, balance: 5_00, missing: 45_00 });
  await kit.deposit(45_00);
  await kit.pass({ seconds: 1 });
  expect(await statuses()).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
  expect(await fetchBalance(kit.admin)).toBe(0);
});

it("BAT-060 releases each batch once with many concurrent deposits in two processes", async () => {
  const other = await kit.another();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { id } = await draft(kit.admin, [pix(20_00)]);
    await closing(kit.admin, id);
    ids.push(id);
  }
  await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? kit : other).deposit(10_00)));
  await Promise.all([kit.drainJobs(), other.drainJobs()]);
  expect(await Promise.all(ids.map(fetchStatus))).toEqual(Array(5).fill("RECEIVED"));
  expect(await fetchBalance(kit.admin)).toBe(20_00);
  await other.close();
});

it("BAT-060 releases a batch if its money arrives while its closing finds too little", async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await draft(kit.admin, [pix(10_00)]);
    await Promise.all([closing(kit.admin, id), kit.deposit(10_00)]);
    await kit.drainJobs();
    expect(await fetchStatus(id)).toBe("RECEIVED");
  }
  expect(await fetchBalance(kit.admin)).toBe(0);
});

it("BAT-067 no longer waits after it was reopened, and closes again with its new content", async () => {
  const { id } = await draft(kit.admin, [pix(100_00)]);
  expect((await reopen(kit.admin, id)).body.code).toBe("batch_not_editable");
  await closing(kit.admin, id);
  expect((await reopen(kit.operator, id)).status).toBe(403);
  expect((await reopen(kit.analyst, id)).status).toBe(403);
  expect((await reopen(kit.stranger, id)).body.code).toBe("not_found");
  expect((await reopen(kit.admin, id)).body.status).toBe("DRAFT");
  await kit.deposit(150_00);
  expect(await fetchStatus(id)).toBe("DRAFT");
  await kit.admin.call(addTransfer, { params: { id }, body: pix(20_00) });
  expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
  expect(await fetchBalance(kit.admin)).toBe(30_00);
  await kit.drainJobs();
  expect((await reopen(kit.admin, id)).body.code).toBe("batch_not_editable");
});

it("BAT-067 releases the next batch with the available money when the oldest leaves the queue, reopened or deleted", async () => {
  const ids: string[] = [];
  for (const value of [100_00, 10_00, 60_00, 20_00]) {
    const { id } = await draft(kit.admin, [pix(value)]);
    await closing(kit.admin, id);
    ids.push(id);
    await kit.pass({ seconds: 1 });
  }
  const statuses = () => Promise.all(ids.map(fetchStatus));
  await kit.deposit(35_00);
  expect(await statuses()).toEqual(["WAITING", "WAITING", "WAITING", "WAITING"]);
  await reopen(kit.admin, ids[0] as string);
  await kit.drainJobs();
  expect(await statuses()).toEqual(["DRAFT", "RECEIVED", "WAITING", "WAITING"]);
  expect((await remove(kit.operator, ids[2] as string)).body).toEqual({ ok: true });
  await kit.drainJobs();
  expect(await fetchStatus(ids[3] as string)).toBe("RECEIVED");
  expect(await fetchBalance(kit.admin)).toBe(5_00);
});

it("BAT-067 lets exactly one of two concurrent calls, reopen or release, win, with the money in the matching account", async () => {
  for (let round = 0; round < 5; round++) {
    const before = await fetchBalance(kit.admin);
    const { id } = await draft(kit.admin, [pix(before + 10_00)]);
    await closing(kit.admin, id);
    await Promise.all([reopen(kit.admin, id), kit.deposit(10_00)]);
    await kit.drainJobs();
    const status = await fetchStatus(id);
    expect(["DRAFT", "RECEIVED"]).toContain(status);
    expect(await fetchBalance(kit.admin)).toBe(status === "DRAFT" ? before + 10_00 : 0);
    expect(await kit.faults()).toEqual([]);
  }
});

it("sends the TEDs of a batch whose day passed while it waited on the next business day", async () => {
  const { id } = await draft(kit.admin, [
    ted(10_00, { payment_date: "2026-08-13" }),
    pix(5_00, { payment_date: "2026-08-13" }),
  ]);
  await closing(kit.admin, id);
  // The day is a Saturday.
  await kit.passUntil("2026-08-15T15:00:00Z");
  await kit.deposit(15_00);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["SCHEDULED", "EXECUTING"]);
  await kit.passUntil("2026-08-17T09:30:00Z");
  await kit.pass({ minutes: 3 });
  expect(await fetchStatuses(kit.admin, id)).toEqual(["TRANSFERRED", "FINISHED"]);
});
