/** People who may approve a batch and a correction, and people who may not. */
import { randomUUID } from "node:crypto";
import { approveBatch, closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { readPaymentHistory } from "@malote/contracts/history";
import { readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { addTransfer, changeTransfer, refundTransfer } from "@malote/contracts/transfers";
import { changeUser, createUser } from "@malote/contracts/users";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import {
  approve,
  approveOne,
  bearing,
  type ControlsKit,
  fetchApprovals,
  fetchRequests,
  openControls,
  send,
  sentToApproval,
} from "../testing/controls-kit.ts";
import { batch, closing, draft, fetchBalance, fetchStatuses, pix } from "../testing/payments-kit.ts";

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

describe("four eyes", () => {
  beforeEach(() => kit.inForce({ requiresOtherApprover: true }));

  const failing = pix(500_00, {
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
  });
  async function failedBatch(): Promise<{ id: string; tid: string }> {
    const id = await sentToApproval(kit.admin, [failing]);
    expect((await approve(second, id)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED"]);
    return { id, tid: (await batch(kit.admin, id)).transfers[0].id };
  }
  const toOwnKey = pix(500_00, {
    destination_bank_account: { name: "Helena", pix_key_type: "EMAIL", pix_key: "helena+2@gmail.example" },
  });
  const correct = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(changeTransfer, { params: { id, tid }, body: toOwnKey });

  it("requires another person to correct the receiver of a failed payment, even from a single approver", async () => {
    const failed = await failedBatch();
    expect((await correct(second, failed)).body).toMatchObject({ status: "FAILED", awaits_approval: true });
    expect((await correct(kit.admin, failed)).body.code).toBe("payment_awaits_approval");
    const [request] = await fetchRequests(second);
    expect(request.facts).toContainEqual({ label: "Agora", value: "Pix helena+2@gmail.example" });
    expect((await approveOne(second, request)).body.code).toBe("approver_is_creator");
    await kit.pass({ seconds: 5 });
    expect(await fetchStatuses(kit.admin, failed.id)).toEqual(["FAILED"]);
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, failed.id)).toEqual(["FINISHED"]);
    const { body } = await kit.admin.call(readPaymentHistory, {
      params: { id: failed.tid },
      query: { page: "0" },
    });
    expect(body.items.find(({ what }) => what === "payment.sent_again")).toMatchObject({
      actor: { name: "Segunda Admin" },
      reason:
        "Nome: vazio → Helena · Destino: Pix chave.pix15@exemplo.com.br → Pix helena+2@gmail.example · Aprovado por Helena Prado",
    });
  });

  it("does not execute the correction of a payment that was returned meanwhile", async () => {
    const failed = await failedBatch();
    await correct(second, failed);
    const [request] = await fetchRequests(kit.admin);
    await kit.admin.call(
      refundTransfer,
      { params: { id: failed.id, tid: failed.tid } },
      { "idempotency-key": randomUUID() },
    );
    expect((await approveOne(kit.admin, request)).body.code).toBe("approval_request_obsolete");
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("lets the installation's credential not approve, and requires two people for its batches", async () => {
    const token = await kit.installed();
    const helenas = await draft(kit.admin);
    expect((await kit.byMachine(token, closeBatch, { params: { id: helenas.id } })).body.code).toBe(
      "approver_not_a_person",
    );
    const made = await kit.byMachine(token, createBatch, {
      body: { name: "Folha", transfers: [pix(10_00)] },
    });
    expect((await closing(kit.admin, made.body.id)).body).toMatchObject({
      code: "approvals_missing",
      data: { count: 2 },
    });
    await send(kit.admin, made.body.id);
    expect((await approve(kit.admin, made.body.id)).body.status).toBe("WAITING_APPROVAL");
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
    expect((await approve(second, made.body.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("treats a credential as its maker, as preparer and as approver", async () => {
    const token = await kit.fetchCredential(kit.admin);
    const made = await kit.byMachine(token, createBatch, {
      body: { name: "Folha", transfers: [pix(10_00)] },
    });
    await send(kit.admin, made.body.id);
    expect((await approve(kit.admin, made.body.id)).body.code).toBe("approver_is_creator");
    const id = await sentToApproval(second);
    const { revision } = await batch(second, id);
    const answer = await kit.call(
      approveBatch,
      { params: { id }, body: { revision, digest: (await fetchApprovals(second, id)).digest } },
      { token, headers: { "idempotency-key": randomUUID() } },
    );
    expect(answer.status).toBe(403);
  });

  it("lets an admin who was added an hour ago not approve for a day, and notifies every admin", async () => {
    const id = await sentToApproval(kit.admin);
    kit.mails.splice(0);
    await kit.admin.call(createUser, {
      body: {
        name: "Helena Segunda",
        email: "helena+2@aurora.example",
        profile: "admin",
        applications: ["payments"],
      },
    });
    const subjects = await kit.subjects();
    for (const address of ["helena@aurora.example", "segunda@aurora.example"])
      expect(subjects).toContain(`${address} Sua empresa tem um novo administrador`);
    await kit.services.db.pool.query(
      "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'helena@aurora.example') WHERE email = 'helena+2@aurora.example'",
    );
    const fresh = await kit.as("helena+2@aurora.example");
    await kit.pass({ hours: 1 });
    const refused = await approve(fresh, id);
    expect([refused.status, refused.body.code]).toEqual([403, "approver_too_new"]);
    expect(refused.body.message).toContain("13/08/2026 10:00");
    expect(await fetchStatus(id)).toBe("WAITING_APPROVAL");
    await kit.pass({ hours: 23 });
    expect((await approve(fresh, id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("makes a promoted operator and an approver with a changed factor wait too, and e-mails all admins", async () => {
    const rui = aurora.users[1];
    await kit.admin.call(changeUser, {
      params: { id: rui?.id ?? "" },
      body: { profile: "admin", applications: ["payments", "validation"] },
    });
    const id = await sentToApproval(kit.admin);
    const promoted = await kit.as("rui@aurora.example");
    expect((await approve(promoted, id)).body.code).toBe("approver_too_new");
    kit.mails.splice(0);
    const { secret } = (await second.call(readTwoFactorSecret)).body;
    const on = await second.call(setTwoFactor, { body: { action: "enable", code: codeOf(secret) } });
    expect(await kit.subjects()).toContain(
      "helena@aurora.example A autenticação em 2 fatores de Segunda Admin mudou",
    );
    const again = bearing(kit, second, on.body.new_token);
    expect((await approve(again, id)).body.code).toBe("approver_too_new");
  });

  it("refuses an editor of the batch, outdated content, and the same person twice", async () => {
    const { id } = await draft(kit.operator, [pix(10_00)]);
    await kit.admin.call(addTransfer, { params: { id }, body: pix(20_00) });
    await send(kit.operator, id);
    expect((await approve(kit.admin, id)).body.code).toBe("approver_is_creator");
    const { revision } = await batch(second, id);
    const stale = (body: object) =>
      second.call(
        approveBatch,
        { params: { id }, body: body as { revision: number; digest: string } },
        { "idempotency-key": randomUUID() },
      );
    expect((await stale({ revision, digest: "2-3000-abc" })).body).toMatchObject({
      code: "approval_content_changed",
      message:
        "O que você conferiu mudou. Atualize a página e confira de novo; se isto voltar, peça que seja enviado outra vez.",
    });
    const { digest } = await fetchApprovals(second, id);
    expect((await stale({ revision: revision - 1, digest })).body.code).toBe("batch_changed");
    expect((await stale({ revision, digest })).body.is_batch_paid).toBe(true);
    expect((await stale({ revision, digest })).body.code).toBe("batch_not_waiting_approval");
    await kit.drainJobs();
  });

  it("does not count a person as an editor who saved another person's draft unchanged", async () => {
    const { id } = await draft(kit.operator);
    await kit.admin.put(`/api/payments/batch/${id}`, { name: "Folha de agosto" });
    expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.parse("2026-08-12T13:00:00Z"),
    });
});
