/** The number of approvers that an amount requires, and the approvals that count. */
import { randomUUID } from "node:crypto";
import { enableBatchEdit, rejectBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { readCompanySettings } from "@malote/contracts/company";
import { addTransfer, changeTransfer, removeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import {
  approve,
  bandsOf,
  type ControlsKit,
  fetchApprovals,
  openControls,
  send,
  sentToApproval,
  withdraw,
} from "../testing/controls-kit.ts";
import { batch, closing, draft, fetchBalance, pix } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const aurora = demoCompanies[0]!;
const fetchStatus = async (id: string) => (await batch(kit.admin, id)).status;

describe("bands", () => {
  let third: Person;
  beforeEach(async () => {
    third = await kit.colleague("terceira@aurora.example", "Terceira Admin");
    await kit.inForce({
      bands: bandsOf([0, 0], [1_000_00, 1], [5_000_00, 2]),
    });
  });

  it("BAT-064 closes a small batch by one admin and a larger one only by the last approval, by close and by approve", async () => {
    const small = await draft(kit.admin, [pix(999_99)]);
    expect((await closing(kit.admin, small.id)).body.is_batch_paid).toBe(true);
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({
      needed: 2,
      missing: 2,
      may_approve: true,
      is_stuck: false,
      approvals: [],
    });
    const { revision } = await batch(kit.admin, id);
    expect((await closing(kit.admin, id, randomUUID(), { revision })).body).toEqual({
      is_batch_paid: false,
      status: "WAITING_APPROVAL",
    });
    expect((await closing(kit.admin, id, randomUUID(), { revision })).body.code).toBe("approved_already");
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({
      missing: 1,
      has_approved: true,
      may_approve: false,
      approvals: [{ name: "Helena Prado", counts: true }],
    });
    expect((await approve(second, id)).body).toEqual({ is_batch_paid: true, status: "PENDING" });
    await kit.drainJobs();
  });

  it("closes by one of two concurrent last approvals, and sends the money once", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(kit.admin, id);
    const answers = await Promise.all([approve(second, id), approve(third, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await fetchBalance(kit.admin)).toBe(95_000_00);
    await kit.drainJobs();
  });

  it("sums the batches that one person prepared on a day, concurrent ones too, so that splitting does not help", async () => {
    const parts = await Promise.all([1, 2, 3].map(() => draft(kit.admin, [pix(500_00)])));
    expect((await closing(kit.admin, parts[0]?.id ?? "")).status).toBe(200);
    expect((await closing(kit.admin, parts[1]?.id ?? "")).body.code).toBe("approver_is_creator");
    // Each day has a sum of its own.
    await kit.pass({ days: 1 });
    const answers = await Promise.all([1, 2].map((at) => closing(kit.admin, parts[at]?.id ?? "")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    await kit.drainJobs();
  });

  it("sums the payments of several people to one receiver, and withdrawals together with batches", async () => {
    const to = { destination_bank_account: { pix_key_type: "EMAIL", pix_key: "um@exemplo.com.br" } } as const;
    const first = await draft(kit.operator, [pix(600_00, to)]);
    expect((await closing(kit.admin, first.id)).status).toBe(200);
    const next = await draft(kit.admin, [pix(600_00, to)]);
    expect((await closing(kit.admin, next.id)).body.code).toBe("approver_is_creator");
    expect((await withdraw(kit.admin, 600_00)).body.awaits_approval).toBeUndefined();
    expect((await withdraw(kit.admin, 400_00)).body.awaits_approval).toBe(true);
    await kit.drainJobs();
  });

  it("counts a withdrawal beside a batch with the same id", async () => {
    await kit.inForce({ bands: bandsOf([0, 0], [1_000_00, 1]) });
    const { id } = (await withdraw(kit.admin, 900_00)).body;
    const made = await kit.admin.call(createBatch, { body: { id, name: "Outro", transfers: [pix(1)] } });
    expect(made.status).toBe(200);
    expect((await closing(kit.admin, id)).status).toBe(200);
    expect((await withdraw(kit.admin, 900_00)).body.awaits_approval).toBe(true);
    await kit.drainJobs();
  });

  it("removing a payment keeps approvals, adding or changing one voids them", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00), pix(2_000_00)]);
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [, gone] = (await batch(kit.admin, id)).transfers;
    await kit.admin.call(removeTransfer, { params: { id, tid: gone.id } });
    await send(kit.operator, id);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({ missing: 1, approvals: [{ counts: true }] });
    await kit.admin.call(enableBatchEdit, { params: { id } });
    await kit.operator.call(addTransfer, { params: { id }, body: pix(1_00) });
    await send(kit.operator, id);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [one] = (await batch(kit.admin, id)).transfers;
    const body = pix(5_000_00, {
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "outra@exemplo.com.br" },
    });
    await kit.operator.call(changeTransfer, { params: { id, tid: one.id }, body });
    await send(kit.operator, id);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
  });

  it("does not treat content that was changed outside the product as approved, also when a payment is removed", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00), pix(2_000_00)]);
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [kept, gone] = (await batch(kit.admin, id)).transfers;
    await kit.services.db.pool.query("UPDATE transfers SET pix_key = 'ladrao@exemplo.com.br' WHERE id = $1", [
      kept.id,
    ]);
    await kit.admin.call(removeTransfer, { params: { id, tid: gone.id } });
    await send(kit.operator, id);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({ missing: 2 });
  });

  it("requires all approvals again after a rejection of the batch", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(kit.admin, id);
    await second.call(rejectBatch, { params: { id }, body: {} });
    await send(kit.operator, id);
    expect(await fetchApprovals(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
  });

  it("does not count an approver who was demoted or whose factor changed", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(third, id);
    await kit.services.db.pool.query(
      "UPDATE users SET profile = 'analyst' WHERE email = 'terceira@aurora.example'",
    );
    kit.clock.advance({ seconds: 1 });
    expect((await approve(kit.admin, id)).body.status).toBe("WAITING_APPROVAL");
    expect((await fetchApprovals(kit.admin, id)).approvals).toMatchObject([
      { name: "Terceira Admin", counts: false },
      { name: "Helena Prado", counts: true },
    ]);
    await kit.clock.advance({ minutes: 1 });
    await kit.services.db.pool.query(
      "UPDATE users SET known_since = $1 WHERE email = 'helena@aurora.example'",
      [kit.clock.now()],
    );
    expect((await approve(second, id)).body.status).toBe("WAITING_APPROVAL");
    // Two admins are left; one of them waits a day.
    expect(await fetchApprovals(second, id)).toMatchObject({ missing: 1, is_stuck: false });
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("checks approvals again when the money arrives, and makes the batch a draft if an approver was removed", async () => {
    const id = await sentToApproval(kit.operator, [pix(200_000_00)]);
    await approve(kit.admin, id);
    expect((await approve(second, id)).body.status).toBe("WAITING");
    await kit.services.db.pool.query(
      "UPDATE users SET profile = 'analyst' WHERE email = 'segunda@aurora.example'",
    );
    await kit.deposit(100_000_00);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "DRAFT",
      reprove_reason: expect.stringContaining("quem o aprovou deixou de poder aprovar"),
    });
    expect(await fetchBalance(kit.admin)).toBe(200_000_00);
  });

  it("requires more approvals of a waiting batch under a stricter policy, and none under a looser one", async () => {
    const id = await sentToApproval(kit.operator, [pix(200_000_00)]);
    await approve(kit.admin, id);
    await approve(second, id);
    await kit.inForce({ bands: bandsOf([0, 3]) });
    await kit.deposit(100_000_00);
    expect(await fetchStatus(id)).toBe("DRAFT");
    await kit.inForce({});
    await send(kit.operator, id);
    await approve(third, id);
    expect(await fetchStatus(id)).toBe("PENDING");
    await kit.drainJobs();
  });

  it("reports when too few approvers are left", async () => {
    await kit.inForce({ bands: bandsOf([0, 3]) });
    const id = await sentToApproval(kit.admin);
    expect(await fetchApprovals(second, id)).toMatchObject({ needed: 3, is_stuck: true });
  });

  it("BAT-021 BAT-063 BAT-064 lets a named operator approve batches of others, but not their own", async () => {
    const rui = aurora.users[1]?.id ?? "";
    await kit.inForce({ requiresOtherApprover: true, operatorApprovers: [rui] });
    expect((await kit.operator.call(readCompanySettings)).body.approvesBatches).toBe(true);
    const theirs = await sentToApproval(kit.operator);
    expect((await approve(kit.operator, theirs)).body.code).toBe("approver_is_creator");
    await kit.drainJobs();
    kit.mails.splice(0);
    const id = await sentToApproval(kit.admin);
    await kit.drainJobs();
    // Everyone who may approve it is e-mailed, except its sender.
    expect(kit.mails.map(({ to }) => to).toSorted()).toEqual([
      "rui@aurora.example",
      "segunda@aurora.example",
      "terceira@aurora.example",
    ]);
    expect((await approve(kit.operator, id)).body.is_batch_paid).toBe(true);
    const own = await draft(kit.admin);
    expect((await closing(kit.operator, own.id)).status).toBe(403);
    await kit.drainJobs();
  });

  it("BAT-021 lets a named operator who became an analyst no longer approve, and does not count an admin as one", async () => {
    const rui = aurora.users[1]?.id ?? "";
    await kit.inForce({ bands: bandsOf([0, 2]), operatorApprovers: [rui] });
    const id = await sentToApproval(kit.admin);
    const approves = async () => (await kit.operator.call(readCompanySettings)).body.approvesBatches;
    expect([await approves(), (await fetchApprovals(kit.operator, id)).may_approve]).toEqual([true, true]);
    for (const profile of ["analyst", "admin"]) {
      await kit.query("UPDATE users SET profile = $1 WHERE id = $2", [profile, rui]);
      expect([profile, await approves()]).toEqual([profile, false]);
    }
    await kit.query("UPDATE users SET profile = 'analyst' WHERE id = $1", [rui]);
    expect((await approve(kit.operator, id)).status).toBe(403);
    expect(await fetchStatus(id)).toBe("WAITING_APPROVAL");
  });

  it("BAT-063 BAT-065 lets a named operator reject batches of others, without another approval", async () => {
    const rui = aurora.users[1]?.id ?? "";
    const reject = (by: Person, id: string) =>
      by.call(rejectBatch, { params: { id }, body: { reason: "Valor errado" } });
    const id = await sentToApproval(kit.admin);
    expect(await reject(kit.operator, id)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    await kit.inForce({ requiresOtherApprover: true, operatorApprovers: [rui] });
    const theirs = await sentToApproval(kit.operator);
    expect((await reject(kit.operator, theirs)).body.code).toBe("approver_is_creator");
    const token = await kit.fetchCredential(kit.operator);
    const params = { id };
    expect((await kit.byMachine(token, rejectBatch, { params, body: {} })).body.code).toBe(
      "approver_not_a_person",
    );
    expect([await fetchStatus(id), await fetchStatus(theirs)]).toEqual([
      "WAITING_APPROVAL",
      "WAITING_APPROVAL",
    ]);
    await kit.drainJobs();
    kit.mails.splice(0);
    expect((await reject(kit.operator, id)).body).toMatchObject({
      status: "DRAFT",
      sent_back_by: "person",
      reprove_reason: "Valor errado",
    });
    await kit.drainJobs();
    expect(kit.mails.map(({ to }) => to)).toEqual(["helena@aurora.example"]);
    expect(kit.mails[0]?.text).toContain("Rui Tavares");
    expect((await reject(kit.operator, id)).body.code).toBe("batch_not_waiting_approval");
  });

  it("BAT-063 does not let a new operator reject a batch, but an earlier approver", async () => {
    const rui = aurora.users[1]?.id ?? "";
    const fresh = await kit.addPerson(kit.admin, "novo@aurora.example", "operator");
    await kit.inForce({
      bands: bandsOf([0, 2]),
      operatorApprovers: [rui, await kit.fetchId("novo@aurora.example")],
    });
    const id = await sentToApproval(kit.admin);
    const reject = (by: Person) => by.call(rejectBatch, { params: { id }, body: {} });
    expect(await reject(fresh)).toMatchObject({ status: 403, body: { code: "approver_too_new" } });
    expect((await approve(kit.operator, id)).body.is_batch_paid).toBe(false);
    expect(await fetchApprovals(kit.operator, id)).toMatchObject({
      missing: 1,
      has_approved: true,
      why_not: null,
    });
    expect((await reject(kit.operator)).body.status).toBe("DRAFT");
    await send(kit.admin, id);
    // Confirmations from before it was sent back do not count.
    expect(await fetchApprovals(kit.operator, id)).toMatchObject({ missing: 2, has_approved: false });
  });
});
