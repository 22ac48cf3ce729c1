/** Money leaves only as the company wants it: every way out against the controls, and the ways around them. */
import { randomUUID } from "node:crypto";
import {
  approveBatch,
  closeBatch,
  createBatch,
  enableBatchEdit,
  readBatchApprovals,
  reproveBatch,
  sendBatchToApproval,
} from "@malote/contracts/batches";
import {
  readCompanyBankAccount,
  readCompanySettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { approveInfractions } from "@malote/contracts/contestations";
import {
  approveRequest,
  type ControlPolicyOnWire,
  listApprovalRequests,
  readControls,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import { createCredential } from "@malote/contracts/developer";
import { listPayins, readPayin, refundPayin } from "@malote/contracts/payins";
import { authorize, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { withdrawBalance } from "@malote/contracts/statement";
import { addTransfer, changeTransfer, refundTransfer, removeTransfer } from "@malote/contracts/transfers";
import { changeUser, createUser } from "@malote/contracts/users";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { saveBankAccount } from "../company/store.ts";
import type { Answer, Person } from "../testing/app.ts";
import { defend, one, reported } from "../testing/contestations.ts";
import {
  auroraId,
  balanceOf,
  batch,
  closing,
  draft,
  openPayments,
  ownAccount,
  type PaymentsKit,
  pix,
  statusesOf,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
let second: Person;
beforeEach(async () => {
  kit = await openPayments();
  second = await admin("segunda@aurora.example", "Segunda Admin");
  await kit.deposit(100_000_00);
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const aurora = demoCompanies[0]!;

/** Somebody who has been there for long. */
async function admin(email: string, name: string, profile = "admin"): Promise<Person> {
  const id = randomUUID();
  const { pool } = kit.parts.db;
  await pool.query(
    `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
     SELECT company_id, $1, $2, $3, password_hash, $4, applications, created_at FROM users WHERE email = 'helena@aurora.example'`,
    [id, name, email, profile],
  );
  await pool.query(
    "INSERT INTO sign_in_names (name, kind, company_id, subject_id) VALUES ($1, 'user', $2, $3)",
    [email, auroraId, id],
  );
  return kit.as(email);
}

const quiet: ControlPolicyOnWire = {
  requires_other_approver: false,
  bands: [{ from: 0, approvers: 0 }],
  operator_approvers: [],
  step_up_from: null,
  operators_may_withdraw: true,
  operators_may_correct: true,
  operators_may_give_back: true,
  quarantine_hours: 24,
};

/** In force since before the test, as if both admins had agreed. */
async function inForce(changes: Partial<ControlPolicyOnWire>): Promise<void> {
  const wire = { ...quiet, ...changes };
  const policy = {
    requiresOtherApprover: wire.requires_other_approver,
    bands: wire.bands,
    operatorApprovers: wire.operator_approvers,
    stepUpFrom: wire.step_up_from,
    operatorsMayWithdraw: wire.operators_may_withdraw,
    operatorsMayCorrect: wire.operators_may_correct,
    operatorsMayGiveBack: wire.operators_may_give_back,
    quarantineHours: wire.quarantine_hours,
  };
  await kit.parts.db.pool.query(
    `INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name)
     SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $3, $4, 'Helena Prado' FROM control_policies WHERE company_id = $1`,
    [auroraId, JSON.stringify(policy), kit.clock.now(), aurora.users[0]?.id],
  );
}
const twoPeople = () => inForce({ requires_other_approver: true });

const withdraw = (by: Person, value: number, headers: Record<string, string> = {}) =>
  by.call(withdrawBalance, { body: { value } }, { "idempotency-key": randomUUID(), ...headers });
const saveAccount = (by: Person, change: object = {}) =>
  by.call(saveCompanyBankAccount, { body: { ...ownAccount, ...change } });
const requestsOf = async (by: Person) => (await by.call(listApprovalRequests)).body.data;
const approveOne = (by: Person, { id, digest }: { id: string; digest: string }, headers = {}) =>
  by.call(
    approveRequest,
    { params: { id }, body: { digest } },
    { "idempotency-key": randomUUID(), ...headers },
  );
const rejectOne = (by: Person, id: string, reason?: string) =>
  by.call(rejectRequest, { params: { id }, body: reason ? { reason } : {} });
const send = (by: Person, id: string) => by.call(sendBatchToApproval, { params: { id }, body: {} });
const approvalsOf = async (by: Person, id: string) =>
  (await by.call(readBatchApprovals, { params: { id } })).body;
/** As the screen does: with the revision and content that it showed. */
async function approve(by: Person, id: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [{ revision }, { digest }] = await Promise.all([batch(by, id), approvalsOf(by, id)]);
  return by.call(
    approveBatch,
    { params: { id }, body: { revision, digest } },
    { "idempotency-key": randomUUID(), ...headers },
  );
}
async function sentToApproval(by: Person = kit.operator, transfers = [pix(100_00)]): Promise<string> {
  const { id } = await draft(by, transfers);
  const answer = await send(by, id);
  if (answer.body.status !== "WAITING_APPROVAL") throw new Error(JSON.stringify(answer.body));
  return id;
}
const statusOf = async (id: string) => (await batch(kit.admin, id)).status;

async function machine(credential: { client_id: string; client_secret: string }): Promise<string> {
  const { body } = await kit.call(authorize, { body: { grant_type: "client_credentials", ...credential } });
  return body.access_token;
}
const installed = () =>
  machine({ client_id: aurora.credential.clientId, client_secret: aurora.credential.clientSecret });
const byMachine = (token: string, contract: Parameters<PaymentsKit["call"]>[0], input: object) =>
  kit.call(contract, input, { token, headers: { "idempotency-key": randomUUID() } });

const mailsOf = async () => {
  await kit.drainJobs();
  return kit.mails.splice(0).map(({ to, subject }) => `${to} ${subject}`);
};

describe("the withdrawal account", () => {
  it.each([
    ["a stranger's", { cpfCnpj: "52998224725", name: "Zé Laranja" }, "withdrawal_account_not_yours"],
    ["the company's document, another name", { name: "Zé Laranja" }, "withdrawal_account_name"],
    ["another company's", { cpfCnpj: "48L7XQ9B000106" }, "withdrawal_account_not_yours"],
  ])("is nobody's but the company's own: %s", async (_what, change, code) => {
    const before = (await kit.admin.call(readCompanyBankAccount)).body;
    const answer = await saveAccount(kit.admin, change);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect((await kit.admin.call(readCompanyBankAccount)).body).toEqual(before);
    expect(await mailsOf()).toEqual([]);
  });

  it("takes no money when it was somebody else's before the rule was there", async () => {
    await kit.parts.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, cpfCnpj: "52998224725", name: "Zé Laranja" }),
    );
    const answer = await withdraw(kit.admin, 2_500_00);
    expect([answer.status, answer.body.code]).toEqual([422, "withdrawal_account_not_yours"]);
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("is changed by a person only", async () => {
    const answer = await byMachine(await installed(), saveCompanyBankAccount, { body: ownAccount });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  });

  it("takes no withdrawal for a day after it became another one, and every admin is told", async () => {
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
    expect(
      (
        await saveAccount(kit.admin, {
          account: "13004578",
          account_digit: "8",
          bank_id: "90400888",
          agency: "2291",
        })
      ).body,
    ).toEqual({ ok: true });
    expect(await mailsOf()).toEqual([
      "helena@aurora.example A conta para saque da sua empresa mudou",
      "segunda@aurora.example A conta para saque da sua empresa mudou",
    ]);
    const frozen = await withdraw(kit.admin, 1_00);
    expect([frozen.status, frozen.body.code]).toEqual([422, "withdrawals_frozen"]);
    expect(frozen.body.message).toContain("13/08 às 10:00");
    // Saving the same again neither freezes anew nor thaws.
    await kit.pass({ hours: 23, minutes: 59 });
    await saveAccount(kit.admin, {
      account: "13004578",
      account_digit: "8",
      bank_id: "90400888",
      agency: "2291",
    });
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawals_frozen");
    await kit.pass({ minutes: 1 });
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
  });

  it("is not frozen as the first one a company gives", async () => {
    await kit.parts.db.pool.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect((await saveAccount(kit.admin)).status).toBe(200);
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
  });

  it("is approved like money where another person is asked for", async () => {
    await twoPeople();
    const changed = { account: "13004578", account_digit: "8", bank_id: "90400888", agency: "2291" };
    expect((await saveAccount(kit.admin, changed)).body).toEqual({ ok: true, awaits_approval: true });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("56789");
    const [request] = await requestsOf(kit.admin);
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("13004578");
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawals_frozen");
  });
});

describe("a withdrawal where another person is asked for", () => {
  beforeEach(twoPeople);

  it("waits as a request, leaves once with the other's approval, and not by whoever asked", async () => {
    const asked = await withdraw(kit.admin, 2_500_00);
    expect(asked.body).toMatchObject({ value: 2_500_00, execute_at: null, awaits_approval: true });
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
    expect(await mailsOf()).toEqual(["segunda@aurora.example Resgate aguarda sua aprovação"]);

    const [request] = await requestsOf(second);
    expect(request).toMatchObject({
      kind: "WITHDRAWAL",
      amount: 2_500_00,
      requested_by: "Helena Prado",
      missing: 1,
      may_approve: true,
      is_own: false,
    });
    expect((await requestsOf(kit.admin))[0]).toMatchObject({ may_approve: false, is_own: true });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
    expect((await approveOne(kit.analyst, request)).status).toBe(403);
    expect((await approveOne(kit.stranger, request)).body.code).toBe("not_found");
    const machineAnswer = await byMachine(await installed(), approveRequest, {
      params: { id: request.id },
      body: { digest: request.digest },
    });
    expect(machineAnswer.status).toBe(403);
    expect((await approveOne(second, { ...request, digest: "another" })).body.code).toBe(
      "approval_content_changed",
    );
    expect(await balanceOf(kit.admin)).toBe(100_000_00);

    const twice = await Promise.all([approveOne(second, request), approveOne(second, request)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balanceOf(kit.admin)).toBe(97_500_00);
    expect((await approveOne(second, request)).body.code).toBe("approval_request_decided");
    await kit.drainJobs();
  });

  it("is not carried out to another account than was approved, nor over the balance, and stays open", async () => {
    await withdraw(kit.admin, 100_000_00);
    const [request] = await requestsOf(second);
    await kit.parts.db.withCompany(auroraId, (tx) => saveBankAccount(tx, { ...ownAccount, agency: "4321" }));
    expect((await approveOne(second, request)).body.code).toBe("approval_content_changed");
    await kit.parts.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, name: aurora.name }),
    );
    await twoPeople();
    const spent = await draft(kit.operator);
    await closing(kit.admin, spent.id);
    expect((await approveOne(second, request)).body.code).toBe("insufficient_balance");
    expect((await requestsOf(second))[0]).toMatchObject({ status: "pending", approvals: [] });
  });

  it("is refused with a reason, taken back by whoever asked, and over after a week", async () => {
    await withdraw(kit.admin, 1_00);
    const [first] = await requestsOf(second);
    expect((await rejectOne(kit.operator, first.id)).body.code).toBe("forbidden");
    expect((await rejectOne(second, first.id, "Sem nota")).body).toEqual({ status: "rejected" });
    expect((await requestsOf(kit.admin))[0]).toMatchObject({
      status: "rejected",
      decided_by: "Segunda Admin",
      reason: "Sem nota",
    });
    expect((await approveOne(second, first)).body.code).toBe("approval_request_decided");

    await withdraw(kit.admin, 2_00);
    const [own] = await requestsOf(kit.admin);
    expect((await rejectOne(kit.admin, own.id)).body).toEqual({ status: "cancelled" });

    await withdraw(kit.admin, 3_00);
    const late = (await requestsOf(second)).find(({ status }: { status: string }) => status === "pending");
    await kit.pass({ days: 7 });
    expect((await approveOne(second, late)).body.code).toBe("approval_request_expired");
    const over = (await requestsOf(second)).find(({ id }: { id: string }) => id === late.id);
    expect(over).toMatchObject({ status: "expired", may_approve: false });
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("of a company's own system waits for people, and for two where nobody made the credential", async () => {
    const asked = await byMachine(await installed(), withdrawBalance, { body: { value: 50_00 } });
    expect(asked.body).toMatchObject({ awaits_approval: true });
    const [request] = await requestsOf(kit.admin);
    expect((await approveOne(kit.admin, request)).body).toEqual({ status: "pending", missing: 1 });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approved_already");
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await balanceOf(kit.admin)).toBe(99_950_00);
  });

  it("is refused where nobody else could approve it", async () => {
    await kit.parts.db.pool.query(
      "UPDATE users SET profile = 'operator', session_version = session_version + 1 WHERE email = 'segunda@aurora.example'",
    );
    const answer = await withdraw(kit.admin, 1_00);
    expect([answer.status, answer.body.code]).toEqual([422, "approvers_too_few"]);
    // Somebody who may not approve can still ask the one who may.
    expect((await withdraw(kit.operator, 1_00)).body.awaits_approval).toBe(true);
  });
});

describe("four eyes", () => {
  beforeEach(twoPeople);

  const failing = pix(500_00, {
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
  });
  async function failedBatch(): Promise<{ id: string; tid: string }> {
    const id = await sentToApproval(kit.admin, [failing]);
    expect((await approve(second, id)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await statusesOf(kit.admin, id)).toEqual(["FAILED"]);
    return { id, tid: (await batch(kit.admin, id)).transfers[0].id };
  }
  const toOwnKey = pix(500_00, {
    destination_bank_account: { name: "Helena", pix_key_type: "EMAIL", pix_key: "helena+2@gmail.example" },
  });
  const correct = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(changeTransfer, { params: { id, tid }, body: toOwnKey });

  it("an approver alone sends a failed payment to nobody else: the correction waits for another person", async () => {
    const failed = await failedBatch();
    expect((await correct(second, failed)).body).toMatchObject({ status: "FAILED", awaits_approval: true });
    expect((await correct(kit.admin, failed)).body.code).toBe("payment_awaits_approval");
    const [request] = await requestsOf(second);
    expect(request.facts).toContainEqual({ label: "Agora", value: "Pix helena+2@gmail.example" });
    expect((await approveOne(second, request)).body.code).toBe("approver_is_creator");
    await kit.pass({ seconds: 5 });
    expect(await statusesOf(kit.admin, failed.id)).toEqual(["FAILED"]);
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusesOf(kit.admin, failed.id)).toEqual(["FINISHED"]);
  });

  it("a correction of what was given back meanwhile is not carried out", async () => {
    const failed = await failedBatch();
    await correct(second, failed);
    const [request] = await requestsOf(kit.admin);
    await kit.admin.call(
      refundTransfer,
      { params: { id: failed.id, tid: failed.tid } },
      { "idempotency-key": randomUUID() },
    );
    expect((await approveOne(kit.admin, request)).body.code).toBe("approval_request_obsolete");
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("the installation's credential approves nothing, and what it made needs two people", async () => {
    const token = await installed();
    const helenas = await draft(kit.admin);
    expect((await byMachine(token, closeBatch, { params: { id: helenas.id } })).body.code).toBe(
      "approver_not_a_person",
    );
    const made = await byMachine(token, createBatch, { body: { name: "Folha", transfers: [pix(10_00)] } });
    expect((await closing(kit.admin, made.body.id)).body).toMatchObject({
      code: "approvals_missing",
      data: { count: 2 },
    });
    await send(kit.admin, made.body.id);
    expect((await approve(kit.admin, made.body.id)).body.status).toBe("WAITING_APPROVAL");
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
    expect((await approve(second, made.body.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("an own credential is its maker, on both sides", async () => {
    const { body } = await kit.admin.call(createCredential, { body: {} });
    const token = await machine({ client_id: body.client_id, client_secret: body.client_secret });
    const made = await byMachine(token, createBatch, { body: { name: "Folha", transfers: [pix(10_00)] } });
    await send(kit.admin, made.body.id);
    expect((await approve(kit.admin, made.body.id)).body.code).toBe("approver_is_creator");
    const id = await sentToApproval(second);
    const { revision } = await batch(second, id);
    const answer = await kit.call(
      approveBatch,
      { params: { id }, body: { revision, digest: (await approvalsOf(second, id)).digest } },
      { token, headers: { "idempotency-key": randomUUID() } },
    );
    expect(answer.status).toBe(403);
  });

  it("an admin who was let in an hour ago approves nothing for a day, and every admin was told", async () => {
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
    const told = await mailsOf();
    for (const address of ["helena@aurora.example", "segunda@aurora.example"])
      expect(told).toContain(`${address} Sua empresa tem um novo administrador`);
    await kit.parts.db.pool.query(
      "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'helena@aurora.example') WHERE email = 'helena+2@aurora.example'",
    );
    const fresh = await kit.as("helena+2@aurora.example");
    await kit.pass({ hours: 1 });
    const refused = await approve(fresh, id);
    expect([refused.status, refused.body.code]).toEqual([403, "approver_too_new"]);
    expect(refused.body.message).toContain("13/08 às 10:00");
    expect(await statusOf(id)).toBe("WAITING_APPROVAL");
    await kit.pass({ hours: 23 });
    expect((await approve(fresh, id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("an operator made admin waits as well, and a changed factor makes anybody wait, with a letter to all", async () => {
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
    expect(await mailsOf()).toContain(
      "helena@aurora.example A autenticação em 2 fatores de Segunda Admin mudou",
    );
    const again = bearing(on.body.new_token);
    expect((await approve(again, id)).body.code).toBe("approver_too_new");
  });

  it("refuses whoever edited, a stale content, and the same person twice", async () => {
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
    expect((await stale({ revision, digest: "2-3000-abc" })).body.code).toBe("approval_content_changed");
    const { digest } = await approvalsOf(second, id);
    expect((await stale({ revision: revision - 1, digest })).body.code).toBe("batch_changed");
    expect((await stale({ revision, digest })).body.is_batch_paid).toBe(true);
    expect((await stale({ revision, digest })).body.code).toBe("batch_not_waiting_approval");
    await kit.drainJobs();
  });

  it("saving a draft that somebody else wrote makes nobody its author", async () => {
    const { id } = await draft(kit.operator);
    await kit.admin.put(`/api/payments/batch/${id}`, { name: "Folha de agosto" });
    expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: Date.parse("2026-08-12T13:00:00Z"),
    });
  const bearing = (token: string): Person => ({
    ...second,
    token,
    call: (contract, input, headers = {}) => kit.call(contract, input, { token, headers }),
  });
});

describe("bands", () => {
  let third: Person;
  beforeEach(async () => {
    third = await admin("terceira@aurora.example", "Terceira Admin");
    await inForce({
      bands: [
        { from: 0, approvers: 0 },
        { from: 1_000_00, approvers: 1 },
        { from: 5_000_00, approvers: 2 },
      ],
    });
  });

  it("one admin closes a small one, a larger one keeps waiting until the last approval, by close as by approve", async () => {
    const small = await draft(kit.admin, [pix(999_99)]);
    expect((await closing(kit.admin, small.id)).body.is_batch_paid).toBe(true);
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({
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
    expect(await approvalsOf(kit.admin, id)).toMatchObject({
      missing: 1,
      has_approved: true,
      may_approve: false,
      approvals: [{ name: "Helena Prado", counts: true }],
    });
    expect((await approve(second, id)).body).toEqual({ is_batch_paid: true, status: "PENDING" });
    await kit.drainJobs();
  });

  it("of two last approvals at once one closes, and the money leaves once", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(kit.admin, id);
    const answers = await Promise.all([approve(second, id), approve(third, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balanceOf(kit.admin)).toBe(95_000_00);
    await kit.drainJobs();
  });

  it("splitting does not help: what one person prepared on a day counts together, also of two at once", async () => {
    const parts = await Promise.all([1, 2, 3].map(() => draft(kit.admin, [pix(500_00)])));
    expect((await closing(kit.admin, parts[0]?.id ?? "")).status).toBe(200);
    expect((await closing(kit.admin, parts[1]?.id ?? "")).body.code).toBe("approver_is_creator");
    // Another day, another sum.
    await kit.pass({ days: 1 });
    const answers = await Promise.all([1, 2].map((at) => closing(kit.admin, parts[at]?.id ?? "")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    await kit.drainJobs();
  });

  it("counts what one receiver gets of several people, and withdrawals beside batches", async () => {
    const to = { destination_bank_account: { pix_key_type: "EMAIL", pix_key: "um@exemplo.com.br" } } as const;
    const first = await draft(kit.operator, [pix(600_00, to)]);
    expect((await closing(kit.admin, first.id)).status).toBe(200);
    const next = await draft(kit.admin, [pix(600_00, to)]);
    expect((await closing(kit.admin, next.id)).body.code).toBe("approver_is_creator");
    expect((await withdraw(kit.admin, 600_00)).body.awaits_approval).toBeUndefined();
    expect((await withdraw(kit.admin, 400_00)).body.awaits_approval).toBe(true);
    await kit.drainJobs();
  });

  it("removing a payment keeps approvals, adding or changing one voids them", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00), pix(2_000_00)]);
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [, gone] = (await batch(kit.admin, id)).transfers;
    await kit.admin.call(removeTransfer, { params: { id, tid: gone.id } });
    await send(kit.operator, id);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({ missing: 1, approvals: [{ counts: true }] });
    await kit.admin.call(enableBatchEdit, { params: { id } });
    await kit.operator.call(addTransfer, { params: { id }, body: pix(1_00) });
    await send(kit.operator, id);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [one] = (await batch(kit.admin, id)).transfers;
    const body = pix(5_000_00, {
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "outra@exemplo.com.br" },
    });
    await kit.operator.call(changeTransfer, { params: { id, tid: one.id }, body });
    await send(kit.operator, id);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
  });

  it("what was changed past the product is no part of what was approved, also when a payment is removed", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00), pix(2_000_00)]);
    await approve(kit.admin, id);
    await kit.admin.call(enableBatchEdit, { params: { id } });
    const [kept, gone] = (await batch(kit.admin, id)).transfers;
    await kit.parts.db.pool.query("UPDATE transfers SET pix_key = 'ladrao@exemplo.com.br' WHERE id = $1", [
      kept.id,
    ]);
    await kit.admin.call(removeTransfer, { params: { id, tid: gone.id } });
    await send(kit.operator, id);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({ missing: 2 });
  });

  it("a reproved batch asks everybody again", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(kit.admin, id);
    await second.call(reproveBatch, { params: { id }, body: {} });
    await send(kit.operator, id);
    expect(await approvalsOf(kit.admin, id)).toMatchObject({ missing: 2, approvals: [] });
  });

  it("an approver who was demoted or whose factor changed does not count any more", async () => {
    const id = await sentToApproval(kit.operator, [pix(5_000_00)]);
    await approve(third, id);
    await kit.parts.db.pool.query(
      "UPDATE users SET profile = 'analyst' WHERE email = 'terceira@aurora.example'",
    );
    kit.clock.advance({ seconds: 1 });
    expect((await approve(kit.admin, id)).body.status).toBe("WAITING_APPROVAL");
    expect((await approvalsOf(kit.admin, id)).approvals).toMatchObject([
      { name: "Terceira Admin", counts: false },
      { name: "Helena Prado", counts: true },
    ]);
    await kit.clock.advance({ minutes: 1 });
    await kit.parts.db.pool.query("UPDATE users SET known_since = $1 WHERE email = 'helena@aurora.example'", [
      kit.clock.now(),
    ]);
    expect((await approve(second, id)).body.status).toBe("WAITING_APPROVAL");
    // Two admins are left, one of whom waits a day.
    expect(await approvalsOf(second, id)).toMatchObject({ missing: 1, is_stuck: false });
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("asks again when the money comes: an approver who is gone sends the batch back", async () => {
    const id = await sentToApproval(kit.operator, [pix(200_000_00)]);
    await approve(kit.admin, id);
    expect((await approve(second, id)).body.status).toBe("WAITING");
    await kit.parts.db.pool.query(
      "UPDATE users SET profile = 'analyst' WHERE email = 'segunda@aurora.example'",
    );
    await kit.deposit(100_000_00);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "DRAFT",
      reprove_reason: expect.stringContaining("quem o aprovou deixou de poder aprovar"),
    });
    expect(await balanceOf(kit.admin)).toBe(200_000_00);
  });

  it("a stricter policy asks a waiting batch for what is missing, a looser one lets it pass as it was approved", async () => {
    const id = await sentToApproval(kit.operator, [pix(200_000_00)]);
    await approve(kit.admin, id);
    await approve(second, id);
    await inForce({ bands: [{ from: 0, approvers: 3 }] });
    await kit.deposit(100_000_00);
    expect(await statusOf(id)).toBe("DRAFT");
    await inForce({});
    await send(kit.operator, id);
    await approve(third, id);
    expect(await statusOf(id)).toBe("PENDING");
    await kit.drainJobs();
  });

  it("says when too few people are left", async () => {
    await inForce({ bands: [{ from: 0, approvers: 3 }] });
    const id = await sentToApproval(kit.admin);
    expect(await approvalsOf(second, id)).toMatchObject({ needed: 3, is_stuck: true });
  });

  it("an operator whom the company names approves what others made, and nothing of their own", async () => {
    const rui = aurora.users[1]?.id ?? "";
    await inForce({ requires_other_approver: true, operator_approvers: [rui] });
    expect((await kit.operator.call(readCompanySettings)).body.approvesBatches).toBe(true);
    const theirs = await sentToApproval(kit.operator);
    expect((await approve(kit.operator, theirs)).body.code).toBe("approver_is_creator");
    await kit.drainJobs();
    kit.mails.splice(0);
    const id = await sentToApproval(kit.admin);
    await kit.drainJobs();
    // Whoever may approve it is asked, and whoever sent it is not.
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
});

describe("the code of the second factor", () => {
  let code: () => string;
  let helena: Person;
  beforeEach(async () => {
    const { secret } = (await kit.admin.call(readTwoFactorSecret)).body;
    // Codes go by real time, which stands still here while the business's moves.
    const real = Date.parse("2026-08-12T13:00:00Z");
    const at = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: real + steps * 30_000 });
    let step = -1;
    const on = await kit.admin.call(setTwoFactor, { body: { action: "enable", code: at(step) } });
    code = () => at(++step);
    const { new_token: token } = on.body;
    helena = {
      ...kit.admin,
      token,
      call: (contract, input, headers = {}) => kit.call(contract, input, { token, headers }),
    };
    await inForce({ step_up_from: 1_000_00 });
  });
  const closeWith = (id: string, given?: string, key: string = randomUUID()) =>
    helena.call(
      closeBatch,
      { params: { id }, body: {} },
      { "idempotency-key": key, ...(given && { "second-factor-code": given }) },
    );

  it("is asked for from its amount on, good once, and a repeated call is answered as the first", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    expect(await closeWith(id)).toMatchObject({ status: 403, body: { code: "step_up_required" } });
    expect((await closeWith(id, "000000")).body.code).toBe("second_factor_invalid");
    const given = code();
    const key = randomUUID();
    const first = await closeWith(id, given, key);
    expect(first.body.is_batch_paid).toBe(true);
    expect((await closeWith(id, given, key)).body).toEqual(first.body);
    const other = await draft(helena, [pix(1_000_00)]);
    expect((await closeWith(other.id, given)).body.code).toBe("second_factor_invalid");
    expect((await withdraw(helena, 1_000_00)).body.code).toBe("step_up_required");
    expect((await withdraw(helena, 1_000_00, { "second-factor-code": code() })).status).toBe(200);
    await kit.drainJobs();
  });

  it("below it nobody is asked, nobody without a factor passes, and no machine does", async () => {
    const small = await draft(kit.operator, [pix(10_00)]);
    expect((await closeWith(small.id)).status).toBe(200);
    const { id } = await draft(kit.operator, [pix(1_000_00)]);
    expect((await closing(second, id)).body.code).toBe("step_up_factor_missing");
    const answer = await byMachine(await installed(), closeBatch, { params: { id } });
    expect(answer.body.code).toBe("approver_not_a_person");
    await kit.drainJobs();
  });

  it("is not guessed: after ten wrong ones no more are looked at", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    for (let tries = 0; tries < 10; tries++) expect((await closeWith(id, "000000")).status).toBe(422);
    expect((await closeWith(id, code())).body.code).toBe("too_many_tries");
    expect(await statusOfBy(helena, id)).toBe("DRAFT");
  });
  const statusOfBy = async (by: Person, id: string) => (await batch(by, id)).status;
});

describe("the policy itself", () => {
  const save = async (by: Person, changes: Partial<ControlPolicyOnWire>, version?: number) =>
    by.call(saveControls, {
      body: {
        version: version ?? (await by.call(readControls)).body.version,
        policy: { ...quiet, ...changes },
      },
    });
  const alone = () =>
    kit.parts.db.pool.query(
      "UPDATE users SET profile = 'operator', session_version = session_version + 1 WHERE email = 'segunda@aurora.example'",
    );
  const settingOf = async (by: Person) => (await by.call(readCompanySettings)).body.requiresOtherApprover;

  it("is read and changed by admins in person", async () => {
    expect((await kit.call(readControls)).status).toBe(401);
    expect((await kit.operator.call(readControls)).status).toBe(403);
    expect((await kit.analyst.call(saveControls, { body: { version: 0, policy: quiet } })).status).toBe(403);
    const token = await installed();
    expect((await kit.call(readControls, {}, { token })).status).toBe(403);
    expect((await kit.call(saveControls, { body: { version: 0, policy: quiet } }, { token })).status).toBe(
      403,
    );
    expect((await kit.admin.call(readControls)).body).toMatchObject({
      version: 0,
      policy: quiet,
      later: null,
    });
  });

  it("decision 21: can be turned on, by two admins where two exist", async () => {
    expect((await save(kit.admin, { requires_other_approver: true })).body.outcome).toBe(
      "waits_for_approval",
    );
    expect(await settingOf(kit.admin)).toBe(false);
    const [request] = await requestsOf(second);
    expect(request).toMatchObject({ kind: "POLICY", amount: null });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    await mailsOf();
    expect((await approveOne(second, request)).body.status).toBe("approved");
    expect(await mailsOf()).toEqual([
      "helena@aurora.example Os controles da sua empresa mudaram",
      "segunda@aurora.example Os controles da sua empresa mudaram",
    ]);
    expect(await settingOf(kit.admin)).toBe(true);
    const { body } = await kit.admin.call(readControls);
    expect(body).toMatchObject({
      version: 1,
      policy: { requires_other_approver: true },
      history: [{ made_by: "Helena Prado", approved_by: "Segunda Admin" }],
    });
    const own = await draft(kit.admin);
    expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
  });

  it("one admin alone raises at once and lowers a day later, with a letter, and may take it back", async () => {
    await alone();
    expect((await save(kit.admin, { requires_other_approver: true })).body.outcome).toBe("in_force");
    expect(await settingOf(kit.admin)).toBe(true);
    await mailsOf();
    expect((await save(kit.admin, {})).body).toEqual({
      outcome: "later",
      in_force_at: "2026-08-13T13:00:00.000Z",
    });
    expect(await mailsOf()).toEqual(["helena@aurora.example Os controles da sua empresa vão mudar"]);
    expect((await kit.admin.call(readControls)).body).toMatchObject({
      policy: { requires_other_approver: true },
      later: { policy: { requires_other_approver: false } },
    });
    await kit.pass({ hours: 23, minutes: 59 });
    expect(await settingOf(kit.admin)).toBe(true);
    // What is in force saved once more takes the place of what was to come.
    await save(kit.admin, { requires_other_approver: true });
    await kit.pass({ minutes: 1 });
    expect(await settingOf(kit.admin)).toBe(true);
    await save(kit.admin, {});
    await kit.pass({ hours: 24 });
    expect(await settingOf(kit.admin)).toBe(false);
  });

  it.each<[string, Partial<ControlPolicyOnWire>, string]>([
    [
      "bands out of order",
      {
        bands: [
          { from: 0, approvers: 2 },
          { from: 5, approvers: 1 },
        ],
      },
      "controls_bands",
    ],
    ["more people than there are", { bands: [{ from: 0, approvers: 3 }] }, "approvers_too_few"],
    [
      "an operator who is none",
      { operator_approvers: [aurora.users[2]?.id ?? ""] },
      "controls_operator_gone",
    ],
    ["a code of people without a factor", { step_up_from: 0 }, "controls_without_factor"],
    ["a wait of months", { quarantine_hours: 9_999 }, "invalid_request"],
    ["four people", { bands: [{ from: 0, approvers: 4 }] }, "invalid_request"],
  ])("refuses %s", async (_what, changes, code) => {
    expect((await save(kit.admin, changes)).body.code).toBe(code);
    expect((await kit.admin.call(readControls)).body.version).toBe(0);
  });

  it("refuses one made from another version, and an approval of one that was overtaken", async () => {
    await save(kit.admin, { requires_other_approver: true });
    const [request] = await requestsOf(second);
    expect((await save(second, { quarantine_hours: 48 })).body.code).toBe("approval_request_open");
    await inForce({ quarantine_hours: 72 });
    expect((await save(kit.admin, {}, 0)).body.code).toBe("controls_changed");
    expect((await approveOne(second, request)).body.code).toBe("controls_changed");
  });

  it("an admin who was let in an hour ago does not agree to it", async () => {
    await save(kit.admin, { requires_other_approver: true });
    const [request] = await requestsOf(second);
    await kit.parts.db.pool.query(
      "UPDATE users SET known_since = $1 WHERE email = 'segunda@aurora.example'",
      [kit.clock.now()],
    );
    expect((await approveOne(second, request)).body.code).toBe("approver_too_new");
  });
});

describe("operators and failed payments", () => {
  const failing = pix(500_00, {
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" },
  });
  async function failed(): Promise<{ id: string; tid: string }> {
    const { id } = await draft(kit.operator, [failing]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    return { id, tid: (await batch(kit.admin, id)).transfers[0].id };
  }
  const correct = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(changeTransfer, { params: { id, tid }, body: pix(500_00) });
  const giveBack = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(refundTransfer, { params: { id, tid } }, { "idempotency-key": randomUUID() });

  it("an operator corrects, and an admin approves before it is sent", async () => {
    const payment = await failed();
    expect((await correct(kit.operator, payment)).body).toMatchObject({
      status: "FAILED",
      awaits_approval: true,
    });
    const [request] = await requestsOf(kit.operator);
    expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusesOf(kit.admin, payment.id)).toEqual(["FINISHED"]);
  });

  it("a correction by a dynamic Pix code is carried out with the charge as it was read when it was asked for", async () => {
    const { id, tid } = await failed();
    const emv = writeDynamicBrCode({
      location: "pix.aurora.invalid/qr/v2/cob/50000/202608132359/01",
      merchantName: "Loja Exemplo Ltda",
      merchantCity: "CURITIBA",
    });
    const body = { value: 500_00, emv, destination_bank_account: {} };
    const asked = await kit.operator.call(changeTransfer, { params: { id, tid }, body });
    expect(asked.body).toMatchObject({ status: "FAILED", awaits_approval: true });
    const [request] = await requestsOf(kit.admin);
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    expect((await batch(kit.admin, id)).transfers[0]).toMatchObject({ status: "FINISHED", emv });
  });

  it("an operator gives back to the balance", async () => {
    const payment = await failed();
    expect((await giveBack(kit.operator, payment)).body.status).toBe("RETURNED");
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("neither where the company says so, with a sentence that says whom to ask", async () => {
    await inForce({ operators_may_correct: false, operators_may_give_back: false });
    const payment = await failed();
    expect(await correct(kit.operator, payment)).toMatchObject({
      status: 403,
      body: { code: "correction_admins_only" },
    });
    expect(await giveBack(kit.operator, payment)).toMatchObject({
      status: 403,
      body: { code: "refund_admins_only" },
    });
    expect((await giveBack(kit.analyst, payment)).status).toBe(403);
    expect((await giveBack(kit.admin, payment)).status).toBe(200);
  });

  it("an operator does not withdraw where the company says so", async () => {
    await inForce({ operators_may_withdraw: false });
    expect((await withdraw(kit.operator, 1_00)).body.code).toBe("forbidden");
    expect((await kit.operator.call(readCompanySettings)).body.blockWithdrawForOperator).toBe(true);
  });
});

it("every admin is told of a new credential", async () => {
  await kit.admin.call(createCredential, { body: {} });
  expect(await mailsOf()).toEqual([
    "helena@aurora.example Sua empresa tem uma nova credencial de API",
    "segunda@aurora.example Sua empresa tem uma nova credencial de API",
  ]);
});

describe("what was received goes back by four eyes", () => {
  beforeEach(twoPeople);

  const received = async (value: number) => {
    const endToEndId = await kit.deposit(value);
    const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
    return items[0].id as string;
  };
  const refund = (id: string, amount: number, by: Person) =>
    by.call(refundPayin, { params: { id }, body: { amount } }, { "idempotency-key": randomUUID() });
  const payin = async (id: string) => (await kit.admin.call(readPayin, { params: { id } })).body;
  const refunded = async () =>
    (
      await kit.parts.db.pool.query(
        "SELECT user_id FROM checkpoints WHERE checkpoint_id = 'PAYIN_REFUNDED' AND company_id = $1",
        [auroraId],
      )
    ).rows.map(({ user_id }) => user_id);
  const analysisOf = async (id: string) => (await one(kit.admin, id)).analysis_status;

  /** Each asks for 60 reais, and tells whether they are on their way. */
  const waysOut = {
    "a refund": {
      kind: "PAYIN_REFUND",
      letter: "Devolução aguarda sua aprovação",
      async ready() {
        const id = await received(100_00);
        return {
          ask: (by: Person) => refund(id, 60_00, by),
          askByMachine: (token: string) =>
            byMachine(token, refundPayin, { params: { id }, body: { amount: 60_00 } }),
          hasLeft: async () => (await payin(id)).refunded_amount === 60_00,
        };
      },
    },
    "infractions that are approved": {
      kind: "INFRACTION",
      letter: "Devolução por contestação aguarda sua aprovação",
      async ready() {
        const { id } = await reported(kit, 60_00);
        const body = { infraction_ids: [id], analysis: "accepted" as const };
        return {
          ask: (by: Person) => by.call(approveInfractions, { body }, { "idempotency-key": randomUUID() }),
          askByMachine: (token: string) => byMachine(token, approveInfractions, { body }),
          hasLeft: async () => (await analysisOf(id)) === "accepted",
        };
      },
    },
    "an answer that agrees": {
      kind: "INFRACTION",
      letter: "Devolução por contestação aguarda sua aprovação",
      async ready() {
        const { id } = await reported(kit, 60_00);
        const said = { analysis: "accepted", analysis_description: "Foi mesmo uma fraude." };
        return {
          ask: (by: Person) => defend(kit, by.token, id, said),
          askByMachine: (token: string) => defend(kit, token, id, said),
          hasLeft: async () => (await analysisOf(id)) === "accepted",
        };
      },
    },
  } as const;
  const each = Object.entries(waysOut);

  it.each(each)(
    "%s waits, and leaves once, by another person's approval of what was asked",
    async (_, way) => {
      const { ask, hasLeft } = await way.ready();
      const before = await balanceOf(kit.admin);
      kit.mails.splice(0);
      const asked = await ask(kit.admin);
      expect([asked.status, asked.body.awaits_approval]).toEqual([200, true]);
      expect((await ask(kit.admin)).body.code).toBe("approval_request_open");
      expect((await mailsOf()).map((mail) => mail.split(" ")[0])).toEqual(["segunda@aurora.example"]);
      const [request] = await requestsOf(second);
      expect(request).toMatchObject({
        kind: way.kind,
        amount: 60_00,
        requested_by: "Helena Prado",
        missing: 1,
        may_approve: true,
        is_own: false,
      });
      expect(request.facts).toContainEqual({ label: "Devolver", value: "R$ 60,00" });

      expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
      expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
      expect((await approveOne(kit.analyst, request)).status).toBe(403);
      expect((await approveOne(kit.stranger, request)).body.code).toBe("not_found");
      const { body: own } = await second.call(createCredential, { body: {} });
      for (const token of [
        await installed(),
        await machine({ client_id: own.client_id, client_secret: own.client_secret }),
      ]) {
        const by = await byMachine(token, approveRequest, {
          params: { id: request.id },
          body: { digest: request.digest },
        });
        expect([by.status, by.body.code]).toEqual([403, "forbidden"]);
      }
      expect((await approveOne(second, { ...request, digest: "of something else" })).body.code).toBe(
        "approval_content_changed",
      );
      expect([await balanceOf(kit.admin), await hasLeft(), await refunded()]).toEqual([before, false, []]);

      const twice = await Promise.all([approveOne(second, request), approveOne(second, request)]);
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await approveOne(second, request)).body.code).toBe("approval_request_decided");
      expect([await balanceOf(kit.admin), await hasLeft()]).toEqual([before - 60_00, true]);
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      expect(await balanceOf(kit.admin)).toBe(before - 60_00);
    },
  );

  it.each(each)("%s is approved by no admin who came this day", async (_, way) => {
    const { ask, hasLeft } = await way.ready();
    await ask(kit.admin);
    await kit.admin.call(createUser, {
      body: {
        name: "Helena Segunda",
        email: "helena+2@aurora.example",
        profile: "admin",
        applications: ["payments"],
      },
    });
    await kit.parts.db.pool.query(
      "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'helena@aurora.example') WHERE email = 'helena+2@aurora.example'",
    );
    const fresh = await kit.as("helena+2@aurora.example");
    const [request] = await requestsOf(fresh);
    expect(request).toMatchObject({ may_approve: false, why_not: expect.stringContaining("13/08 às 10:00") });
    const refused = await approveOne(fresh, request);
    expect([refused.status, refused.body.code]).toEqual([403, "approver_too_new"]);
    await kit.pass({ hours: 23, minutes: 59 });
    expect((await approveOne(fresh, request)).body.code).toBe("approver_too_new");
    expect(await hasLeft()).toBe(false);
    await kit.pass({ minutes: 1 });
    expect((await approveOne(fresh, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await hasLeft()).toBe(true);
    await kit.drainJobs();
  });

  it.each(each)("%s that a credential of nobody's asks for needs two people", async (_, way) => {
    const { askByMachine, hasLeft } = await way.ready();
    expect((await askByMachine(await installed())).body).toMatchObject({ awaits_approval: true });
    const [request] = await requestsOf(kit.admin);
    expect((await approveOne(kit.admin, request)).body).toEqual({ status: "pending", missing: 1 });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approved_already");
    expect(await hasLeft()).toBe(false);
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await hasLeft()).toBe(true);
    await kit.drainJobs();
  });

  it.each(each)("%s that is refused does not leave, and may be asked for again", async (_, way) => {
    const { ask, hasLeft } = await way.ready();
    const before = await balanceOf(kit.admin);
    await ask(kit.operator);
    const [request] = await requestsOf(second);
    expect((await rejectOne(second, request.id, "Falta o pedido do cliente")).body).toEqual({
      status: "rejected",
    });
    expect([await balanceOf(kit.admin), await hasLeft()]).toEqual([before, false]);
    expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
  });

  it("a refund that is approved is no more than what is left by then, and stays open where it is", async () => {
    const id = await received(100_00);
    await refund(id, 60_00, kit.admin);
    const [request] = await requestsOf(second);
    await inForce({});
    expect((await refund(id, 50_00, kit.operator)).body).toMatchObject({ status: "processing" });
    await twoPeople();
    expect((await approveOne(second, request)).body.code).toBe("refund_above_refundable");
    expect((await requestsOf(second))[0]).toMatchObject({ status: "pending", approvals: [] });
    expect((await payin(id)).refunded_amount).toBe(50_00);
    await kit.drainJobs();
  });

  it("an infraction asks for what is still to leave, and for nobody where all of it went back before", async () => {
    const given = async (amount: number) => {
      const { id, endToEndId } = await reported(kit, 100_00);
      const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
      await inForce({});
      expect((await refund(items[0].id, amount, kit.admin)).status).toBe(200);
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      await twoPeople();
      return id;
    };
    const agree = async (id: string) =>
      (
        await kit.admin.call(
          approveInfractions,
          { body: { infraction_ids: [id], analysis: "accepted" } },
          { "idempotency-key": randomUUID() },
        )
      ).body;
    expect(await agree(await given(60_00))).toEqual({ approved: 0, awaits_approval: true });
    const [request] = await requestsOf(second);
    expect(request.amount).toBe(40_00);
    expect(request.facts).toContainEqual({ label: "Devolver", value: "R$ 40,00" });
    expect(await agree(await given(100_00))).toEqual({ approved: 1 });
  });

  it("an infraction that was answered or ran out meanwhile is not answered again", async () => {
    const { id } = await reported(kit, 60_00);
    await kit.admin.call(
      approveInfractions,
      { body: { infraction_ids: [id], analysis: "accepted" } },
      { "idempotency-key": randomUUID() },
    );
    const [request] = await requestsOf(second);
    await defend(kit, kit.operator.token, id, {
      analysis: "rejected",
      analysis_description: "O produto foi entregue.",
    });
    expect((await approveOne(second, request)).body.code).toBe("infractions_not_pending");
    expect(await analysisOf(id)).toBe("rejected");
  });

  it("PAY-035 an approved refund is remembered of whoever asked for it", async () => {
    const id = await received(100_00);
    await refund(id, 60_00, kit.operator);
    const [request] = await requestsOf(second);
    await approveOne(second, request);
    expect(await refunded()).toEqual([aurora.users[1]?.id]);
    await kit.drainJobs();
  });

  it("an answer that defends the sale sends nothing, and waits for nobody", async () => {
    const { id } = await reported(kit, 60_00);
    const answer = await defend(kit, kit.operator.token, id, {
      analysis: "rejected",
      analysis_description: "O produto foi entregue.",
    });
    expect(answer.body).toMatchObject({ analysis_status: "rejected" });
    expect(answer.body.awaits_approval).toBeUndefined();
    expect(await requestsOf(second)).toEqual([]);
  });
});
