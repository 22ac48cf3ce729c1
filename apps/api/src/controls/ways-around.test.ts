/** Ways around the controls that were tried: people made up for the purpose, a flood of requests, and words that hide a change. */
import { randomUUID } from "node:crypto";
import { approveBatch, readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { changeCompanySettings } from "@malote/contracts/company";
import {
  approveRequest,
  type ControlPolicyOnWire,
  listApprovalRequests,
  readControls,
  rejectRequest,
  saveControls,
} from "@malote/contracts/controls";
import { changeMe } from "@malote/contracts/session";
import { withdrawBalance } from "@malote/contracts/statement";
import { changeUser, createUser, removeUser, resetTwoFactor } from "@malote/contracts/users";
import { type ControlPolicy, firstPolicy } from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
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
} from "../testing/payments-kit.ts";
import { emailDueApprovers } from "./index.ts";
import { policyOnWire } from "./save-policy.ts";

const aurora = demoCompanies[0]!;
const idOf = (email: string) => aurora.users.find((user) => user.email === email)?.id ?? "";
const [helenaId, ruiId] = [idOf("helena@aurora.example"), idOf("rui@aurora.example")];
const people = {
  name: "Pessoa Nova",
  applications: ["payments", "validation"] as ("payments" | "validation")[],
};

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
  await kit.deposit(100_000_00);
  await kit.parts.db.withCompany(auroraId, (tx) => saveBankAccount(tx, ownAccount));
});
afterEach(() => kit.close());

/** In force since before the test, as if both admins had agreed. */
async function inForce(changes: Partial<ControlPolicy>): Promise<void> {
  await kit.parts.db.pool.query(
    `INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name)
     VALUES ($1, 1, $2, $3, $3, $4, 'Helena Prado')`,
    [auroraId, JSON.stringify({ ...firstPolicy, ...changes }), kit.clock.now(), helenaId],
  );
}

/** Lets somebody in by a call, and takes them past the choice of a password. */
async function letIn(by: Person, email: string, profile: "admin" | "operator"): Promise<Person> {
  const made = await by.call(createUser, { body: { ...people, email, profile } });
  expect(made.status).toBe(200);
  await kit.parts.db.pool.query(
    "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $1) WHERE email = $2",
    [helenaId, email],
  );
  return kit.as(email);
}

const mailsOf = async () => {
  await kit.drainJobs();
  return kit.mails.splice(0);
};

describe("what was found in a batch that waits for approval", () => {
  const checksOf = async (id: string) => (await kit.admin.call(readBatchChecks, { params: { id } })).body;
  const ticksOf = async (id: string) =>
    (await checksOf(id)).missing.map(({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
      kind,
      fingerprint,
    }));
  const confirm = async (by: Person, id: string) =>
    by.call(confirmBatchChecks, { params: { id }, body: { confirmations: await ticksOf(id) } });
  async function sent(by: Person, value: number): Promise<string> {
    const { id } = await draft(by, [pix(value, { integration_id: null })]);
    const answer = await by.call(sendBatchToApproval, {
      params: { id },
      body: { confirmations: await ticksOf(id) },
    });
    expect(answer.body.status).toBe("WAITING_APPROVAL");
    return id;
  }
  /** Waits for approval, and only then was the same payment prepared by somebody else. */
  async function foundLater(by: Person, value = 1_500_00): Promise<string> {
    const id = await sent(by, value);
    await sent(by === kit.admin ? kit.operator : kit.admin, value);
    expect(await ticksOf(id)).toMatchObject([{ kind: "same_payment" }]);
    return id;
  }

  it("is not ticked by whoever prepared it, where a band asks for another person and no setting does", async () => {
    await inForce({
      bands: [
        { from: cents(0), approvers: 0 },
        { from: cents(1_000_00), approvers: 1 },
      ],
    });
    const id = await foundLater(kit.admin);
    const own = await confirm(kit.admin, id);
    expect([own.status, own.body.code]).toEqual([422, "approver_is_creator"]);
    expect(await ticksOf(id)).toHaveLength(1);
    const fresh = await letIn(kit.admin, "nova@aurora.example", "admin");
    expect(await confirm(fresh, id)).toMatchObject({
      status: 403,
      body: { code: "approver_too_new", message: expect.stringContaining("13/08") },
    });
    await kit.pass({ hours: 24 });
    expect((await confirm(fresh, id)).status).toBe(200);
    expect(await ticksOf(id)).toEqual([]);
  });

  it("is ticked by an operator whom the company names, of others' batches, and by no other operator", async () => {
    await inForce({ requiresOtherApprover: true });
    const id = await foundLater(kit.admin);
    expect((await confirm(kit.operator, id)).body.code).toBe("forbidden");
    await kit.parts.db.pool.query(
      "UPDATE control_policies SET policy = policy || jsonb_build_object('operatorApprovers', jsonb_build_array($1::text))",
      [ruiId],
    );
    const { body } = await kit.operator.call(readBatchApprovals, { params: { id } });
    expect(body.may_approve).toBe(true);
    expect((await confirm(kit.operator, id)).status).toBe(200);
    const [found] = (await checksOf(id)).data;
    expect(found.confirmed.by).toBe("Rui Tavares");
    const theirs = await foundLater(kit.operator, 1_600_00);
    expect((await confirm(kit.operator, theirs)).body.code).toBe("approver_is_creator");
  });
});

describe("people made up for the purpose", () => {
  const bands = [
    { from: cents(0), approvers: 0 },
    { from: cents(1_000_00), approvers: 1 },
  ];

  it("count with the admin who let them in for a day: the sum of the day does not begin anew with each", async () => {
    await inForce({ bands });
    const own = await draft(kit.admin, [pix(999_00)]);
    expect((await closing(kit.admin, own.id)).body.is_batch_paid).toBe(true);
    const puppet = await letIn(kit.admin, "puppet@aurora.example", "operator");
    const theirs = await draft(puppet, [pix(999_00)]);
    expect((await closing(kit.admin, theirs.id)).body.code).toBe("approver_is_creator");
    // Somebody who has been there for long is somebody else.
    const ofRui = await draft(kit.operator, [pix(999_00)]);
    expect((await closing(kit.admin, ofRui.id)).body.is_batch_paid).toBe(true);
    await kit.pass({ hours: 24 });
    expect((await closing(kit.admin, theirs.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("prepare nothing that the one who let them in approves, as a batch or as a withdrawal", async () => {
    await inForce({ requiresOtherApprover: true });
    const puppet = await letIn(kit.admin, "puppet@aurora.example", "operator");
    const { id } = await draft(puppet, [pix(10_00)]);
    await puppet.call(sendBatchToApproval, { params: { id }, body: {} });
    expect((await closing(kit.admin, id)).body.code).toBe("approver_is_creator");
    // Nobody else could approve it, so it does not wait for nobody.
    const refused = await puppet.call(
      withdrawBalance,
      { body: { value: 1_00 } },
      { "idempotency-key": randomUUID() },
    );
    expect([refused.status, refused.body.code]).toEqual([422, "approvers_too_few"]);
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("are let in, changed and removed after the password was given again", async () => {
    const rui = { params: { id: ruiId } };
    await kit.parts.db.pool.query("UPDATE sessions SET confirmed_at = confirmed_at - interval '6 minutes'");
    const body = { ...people, profile: "admin" as const, email: "ladrao@evil.example" };
    for (const answer of [
      await kit.admin.call(createUser, { body }),
      await kit.admin.call(changeUser, { ...rui, body: { profile: "admin", applications: ["payments"] } }),
      await kit.admin.call(removeUser, rui),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "identity_unconfirmed"]);
    expect(await mailsOf()).toEqual([]);
  });

  it("as admins take no other admin's access for a day", async () => {
    const fresh = await letIn(kit.admin, "nova@aurora.example", "admin");
    const helena = { params: { id: helenaId } };
    const demote = () =>
      fresh.call(changeUser, { ...helena, body: { profile: "analyst", applications: ["payments"] } });
    for (const answer of [await demote(), await fresh.call(removeUser, helena)]) {
      expect([answer.status, answer.body.code]).toEqual([403, "admin_too_new"]);
      expect(answer.body.message).toContain("13/08 às 10:00");
    }
    // Nor do they let in who prepares payments, by whichever way; somebody who only looks, they do.
    const body = { ...people, email: "puppet@aurora.example" };
    const invite = (profile: "operator" | "analyst") =>
      fresh.call(createUser, { body: { ...body, profile } });
    const answers = [
      await invite("operator"),
      await fresh.call(changeUser, {
        params: { id: ruiId },
        body: { profile: "analyst", applications: ["payments"] },
      }),
      await fresh.call(resetTwoFactor, helena),
    ];
    expect(answers.map(({ body: { code } }) => code)).toEqual(Array(3).fill("admin_too_new"));
    const analyst = await invite("analyst");
    expect(analyst.status).toBe(200);
    const promoted = await fresh.call(changeUser, {
      params: { id: analyst.body.id },
      body: { profile: "operator", applications: ["payments"] },
    });
    expect(promoted.body.code).toBe("admin_too_new");
    expect((await kit.admin.call(readControls)).status).toBe(200);
    await kit.pass({ hours: 24 });
    expect((await demote()).status).toBe(200);
  });
});

describe("a flood of requests", () => {
  const ask = (by: Person, value = 10_00) =>
    by.call(withdrawBalance, { body: { value } }, { "idempotency-key": randomUUID() });

  it("ends at twenty open ones of a person, each seen by whoever decides, the oldest first", async () => {
    await inForce({ requiresOtherApprover: true });
    for (let n = 1; n <= 20; n++) {
      expect((await ask(kit.operator, n * 1_00)).body.awaits_approval).toBe(true);
      kit.clock.advance({ seconds: 1 });
    }
    const refused = await ask(kit.operator);
    expect([refused.status, refused.body.code]).toEqual([409, "approval_requests_too_many"]);
    expect(refused.body.message).toContain("Você já tem 20 pedidos");
    const { data, open_count } = (await kit.admin.call(listApprovalRequests)).body;
    expect(open_count).toBe(20);
    expect(data.map(({ amount }: { amount: number }) => amount)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n + 1) * 1_00),
    );
    const params = { id: data[0].id };
    await kit.admin.call(rejectRequest, { params, body: {} });
    // Those of the last hour count, decided or not.
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ hours: 1 });
    expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
  });

  it("that are taken back at once ends at twenty in an hour, also of many at once", async () => {
    await inForce({ requiresOtherApprover: true });
    for (let n = 0; n < 15; n++) {
      expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
      const [{ id }] = (await kit.operator.call(listApprovalRequests)).body.data;
      await kit.operator.call(rejectRequest, { params: { id }, body: {} });
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(kit.operator, (n + 1) * 1_00)));
    expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    // Whoever else asks is not kept waiting by it.
    const { data } = (await kit.admin.call(listApprovalRequests)).body;
    expect(data.filter(({ status }: { status: string }) => status === "pending")).toHaveLength(5);
    kit.clock.advance({ minutes: 59, seconds: 59 });
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ seconds: 1 });
    expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
  });

  it("is one e-mail at once and one in five minutes after it, which lists what still waits", async () => {
    await inForce({ requiresOtherApprover: true });
    const toHelena = async () => (await mailsOf()).filter(({ to }) => to === "helena@aurora.example");
    // What other processes ask for at once is not written twice.
    const other = await kit.another();
    await Promise.all([1, 2, 3, 4].map((n) => ask(kit.operator, n * 1_00)));
    const [first, ...more] = await toHelena();
    expect(more).toEqual([]);
    expect(first?.subject).toBe("Resgate aguarda sua aprovação");
    expect(first?.text).toContain("Rui Tavares (rui@aurora.example) pediu");
    const open = (await kit.admin.call(listApprovalRequests)).body.data;
    const names = (text: string | undefined, amount: number) =>
      (text ?? "").replaceAll("\u00a0", " ").includes(`R$ ${amount / 100},00`);
    const told = open.find(({ amount }: { amount: number }) => names(first?.text, amount));
    expect(told).toBeDefined();
    const [gone, ...left] = open.filter((one: unknown) => one !== told);
    await kit.operator.call(rejectRequest, { params: { id: gone.id }, body: {} });
    kit.clock.advance({ minutes: 5, seconds: -1 });
    await emailDueApprovers(kit.parts);
    expect(await toHelena()).toEqual([]);
    kit.clock.advance({ seconds: 1 });
    await Promise.all([emailDueApprovers(kit.parts), emailDueApprovers(other.parts)]);
    await other.drainJobs();
    const [second, ...again] = [
      ...(await toHelena()),
      ...other.mails.filter(({ to }) => to.startsWith("helena")),
    ];
    expect(again).toEqual([]);
    expect(second?.subject).toBe("2 pedidos aguardam sua aprovação");
    expect(left.filter(({ amount }: { amount: number }) => names(second?.text, amount))).toHaveLength(2);
    expect([told, gone].filter(({ amount }) => names(second?.text, amount))).toEqual([]);
    expect(second?.text).toContain("Pedido por Rui Tavares (rui@aurora.example)");
    // Nothing is written twice, and nothing that was decided.
    kit.clock.advance({ minutes: 10 });
    await emailDueApprovers(kit.parts);
    expect(await toHelena()).toEqual([]);
    await other.close();
  });

  it("names whoever asks by their e-mail, whatever they call themselves", async () => {
    await inForce({ requiresOtherApprover: true });
    await kit.operator.call(changeMe, { body: { name: "Helena Prado" } });
    const rui = await kit.as("rui@aurora.example");
    await ask(rui);
    const [request] = (await kit.admin.call(listApprovalRequests)).body.data;
    expect(request).toMatchObject({
      requested_by: "Helena Prado",
      requested_by_email: "rui@aurora.example",
    });
    const { id } = await draft(rui, [pix(10_00)]);
    await rui.call(sendBatchToApproval, { params: { id }, body: {} });
    const { body } = await kit.admin.call(readBatchApprovals, { params: { id } });
    expect(body.prepared_by).toEqual(["Helena Prado (rui@aurora.example)"]);
    const texts = (await mailsOf()).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain("Helena Prado (rui@aurora.example)");
  });

  it("of many people shows the hundred oldest, and how many there are", async () => {
    await inForce({ requiresOtherApprover: true });
    await ask(kit.operator, 7_00);
    await kit.parts.db.pool.query(
      `INSERT INTO approval_requests (company_id, id, kind, object_id, payload, facts, amount, digest, requested_by_kind,
         requested_by, requested_by_name, preparers, has_unknown_preparer, approvers_min, status, created_at, expires_at)
       SELECT company_id, uuidv7(), kind, uuidv7(), payload, facts, amount, digest, requested_by_kind, uuidv7(), 'Outra',
         preparers, false, 1, 'pending', created_at + interval '1 minute', expires_at
       FROM approval_requests, generate_series(1, 120)`,
    );
    const { data, open_count } = (await kit.admin.call(listApprovalRequests)).body;
    expect([data.length, open_count]).toEqual([100, 121]);
    expect(data[0].amount).toBe(7_00);
  });
});

describe("a change of the policy", () => {
  it("names the operators it lets approve, and shows what was and what would be", async () => {
    await kit.parts.db.pool.query(
      `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
       SELECT company_id, uuidv7(), 'Segunda Admin', 'segunda@aurora.example', password_hash, 'admin', applications, created_at
       FROM users WHERE id = $1`,
      [helenaId],
    );
    await kit.parts.db.pool.query(
      "INSERT INTO sign_in_names (name, kind, company_id, subject_id) SELECT email, 'user', company_id, id FROM users WHERE email = 'segunda@aurora.example'",
    );
    await inForce({ operatorApprovers: [ruiId] });
    const sockId = randomUUID();
    await kit.parts.db.pool.query(
      `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
       SELECT company_id, $1, 'Zé Laranja', 'ze@aurora.example', password_hash, 'operator', applications, created_at
       FROM users WHERE id = $2`,
      [sockId, helenaId],
    );
    await mailsOf();
    const policy: ControlPolicyOnWire = {
      ...policyOnWire(firstPolicy),
      operator_approvers: [sockId],
      quarantine_hours: 48,
    };
    const saved = await kit.admin.call(saveControls, { body: { version: 1, policy } });
    expect(saved.body.outcome).toBe("waits_for_approval");
    const second = await kit.as("segunda@aurora.example");
    const [request] = (await second.call(listApprovalRequests)).body.data;
    const facts = [
      { label: "Operadores que aprovam", value: "Rui Tavares → Zé Laranja" },
      { label: "Espera de pessoas e contas novas", value: "24 horas → 48 horas" },
    ];
    expect(request.facts).toEqual(facts);
    for (const { to, text } of await mailsOf()) {
      expect(to).toBe("segunda@aurora.example");
      expect(text).toContain("Rui Tavares → Zé Laranja");
    }
    await second.call(
      approveRequest,
      { params: { id: request.id }, body: { digest: request.digest } },
      { "idempotency-key": randomUUID() },
    );
    expect((await mailsOf()).map(({ text }) => text).join()).toContain("Rui Tavares → Zé Laranja");
  });
});

it("the digest of a batch is a hash of all that will be paid", async () => {
  const { id } = await draft(kit.operator, [pix(10_00), pix(20_00)]);
  await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
  const digest = async () => (await kit.admin.call(readBatchApprovals, { params: { id } })).body.digest;
  const before = await digest();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  // Whatever is changed past the product, two changes do not make up for each other.
  const [first, other] = (await batch(kit.admin, id)).transfers.map((one: { id: string }) => one.id);
  const { pool } = kit.parts.db;
  await pool.query("UPDATE transfers SET value = value + 1 WHERE id = $1", [first]);
  await pool.query("UPDATE transfers SET value = value - 1 WHERE id = $1", [other]);
  const { revision } = await batch(kit.admin, id);
  const answer = await kit.admin.call(
    approveBatch,
    { params: { id }, body: { revision, digest: before } },
    { "idempotency-key": randomUUID() },
  );
  expect([answer.status, answer.body.code]).toEqual([409, "approval_content_changed"]);
});

it("where answers to e-mails go is changed by a person, and every admin reads of it", async () => {
  const { clientId, clientSecret } = aurora.credential;
  const { body } = await kit.send("POST", "/api/login/authorize", {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const change = { body: { reply_to_email: "respostas@aurora.example" } };
  const byProgram = await kit.call(changeCompanySettings, change, { token: body.access_token });
  expect([byProgram.status, byProgram.body.code]).toEqual([403, "forbidden"]);
  expect(await mailsOf()).toEqual([]);
  expect((await kit.admin.call(changeCompanySettings, change)).status).toBe(200);
  const [mail, ...more] = await mailsOf();
  expect(more).toEqual([]);
  expect(mail?.to).toBe("helena@aurora.example");
  expect(mail?.text).toContain("→ respostas@aurora.example");
  // The same again tells nobody.
  await kit.admin.call(changeCompanySettings, change);
  expect(await mailsOf()).toEqual([]);
});
