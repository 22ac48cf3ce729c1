/** Known ways around the controls: invented users, and texts that hide a change. */
import { randomUUID } from "node:crypto";
import { approveBatch, readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batch-life";
import { confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { changeCompanySettings } from "@malote/contracts/company";
import { type ControlPolicyOnWire, readControls, saveControls } from "@malote/contracts/controls";
import { changeUser, createUser, removeUser, resetTwoFactor } from "@malote/contracts/users";
import { firstPolicy } from "@malote/domain/controls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  helenaId,
  openControls,
  ruiId,
  withdraw,
} from "../testing/controls-kit.ts";
import { batch, closing, draft, fetchBalance, pix } from "../testing/payments-kit.ts";
import { policyOnWire } from "./save-policy.ts";

const people = {
  name: "Pessoa Nova",
  applications: ["payments", "validation"] as ("payments" | "validation")[],
};

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
});
afterEach(() => kit.close());

describe("a finding in a batch that waits for approval", () => {
  const fetchChecks = async (id: string) => (await kit.admin.call(readBatchChecks, { params: { id } })).body;
  const fetchTicks = async (id: string) =>
    (await fetchChecks(id)).missing.map(({ kind, fingerprint }) => ({
      kind,
      fingerprint,
    }));
  const confirm = async (by: Person, id: string) =>
    by.call(confirmBatchChecks, { params: { id }, body: { confirmations: await fetchTicks(id) } });
  async function sent(by: Person, value: number): Promise<string> {
    const { id } = await draft(by, [pix(value, { integration_id: null })]);
    const answer = await by.call(sendBatchToApproval, {
      params: { id },
      body: { confirmations: await fetchTicks(id) },
    });
    expect(answer.body.status).toBe("WAITING_APPROVAL");
    return id;
  }
  /** The batch waits for approval before another person prepares the same payment. */
  async function foundLater(by: Person, value = 1_500_00): Promise<string> {
    const id = await sent(by, value);
    await sent(by === kit.admin ? kit.operator : kit.admin, value);
    expect(await fetchTicks(id)).toMatchObject([{ kind: "same_payment" }]);
    return id;
  }

  it("cannot be confirmed by its preparer if a band requires another person and no setting does", async () => {
    await kit.inForce({
      bands: bandsOf([0, 0], [1_000_00, 1]),
    });
    const id = await foundLater(kit.admin);
    const own = await confirm(kit.admin, id);
    expect([own.status, own.body.code]).toEqual([422, "approver_is_creator"]);
    expect(await fetchTicks(id)).toHaveLength(1);
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    expect(await confirm(fresh, id)).toMatchObject({
      status: 403,
      body: { code: "approver_too_new", message: expect.stringContaining("13/08/2026 10:00") },
    });
    await kit.pass({ hours: 24 });
    expect((await confirm(fresh, id)).status).toBe(200);
    expect(await fetchTicks(id)).toEqual([]);
  });

  it("can be confirmed by a named operator for batches of others, and by no other operator", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const id = await foundLater(kit.admin);
    expect((await confirm(kit.operator, id)).body.code).toBe("forbidden");
    await kit.services.db.pool.query(
      "UPDATE control_policies SET policy = policy || jsonb_build_object('operatorApprovers', jsonb_build_array($1::text))",
      [ruiId],
    );
    const { body } = await kit.operator.call(readBatchApprovals, { params: { id } });
    expect(body.may_approve).toBe(true);
    expect((await confirm(kit.operator, id)).status).toBe(200);
    const [found] = (await fetchChecks(id)).data;
    expect(found.confirmed.by).toBe("Rui Tavares");
    const theirs = await foundLater(kit.operator, 1_600_00);
    expect((await confirm(kit.operator, theirs)).body.code).toBe("approver_is_creator");
  });
});

describe("people created to approve", () => {
  const bands = bandsOf([0, 0], [1_000_00, 1]);

  it("count as one person with the admin who added them for a day: a new person does not restart the sum of the day", async () => {
    await kit.inForce({ bands });
    const own = await draft(kit.admin, [pix(999_00)]);
    expect((await closing(kit.admin, own.id)).body.is_batch_paid).toBe(true);
    const puppet = await kit.addPerson(kit.admin, "puppet@aurora.example", "operator");
    const theirs = await draft(puppet, [pix(999_00)]);
    expect((await closing(kit.admin, theirs.id)).body.code).toBe("approver_is_creator");
    // A person with older access counts as another person.
    const ofRui = await draft(kit.operator, [pix(999_00)]);
    expect((await closing(kit.admin, ofRui.id)).body.is_batch_paid).toBe(true);
    await kit.pass({ hours: 24 });
    expect((await closing(kit.admin, theirs.id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("cannot prepare a batch or a withdrawal for the admin who added them to approve", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const puppet = await kit.addPerson(kit.admin, "puppet@aurora.example", "operator");
    const { id } = await draft(puppet, [pix(10_00)]);
    await puppet.call(sendBatchToApproval, { params: { id }, body: {} });
    expect((await closing(kit.admin, id)).body.code).toBe("approver_is_creator");
    // No other person could approve it, so it does not wait forever.
    const refused = await withdraw(puppet, 1_00);
    expect([refused.status, refused.body.code]).toEqual([422, "approvers_too_few"]);
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("COM-021 COM-023 COM-024 are added, changed and removed only after the password was given again", async () => {
    const rui = { params: { id: ruiId } };
    await kit.ageConfirmations();
    const body = { ...people, profile: "admin" as const, email: "ladrao@evil.example" };
    for (const answer of [
      await kit.admin.call(createUser, { body }),
      await kit.admin.call(changeUser, { ...rui, body: { profile: "admin", applications: ["payments"] } }),
      await kit.admin.call(removeUser, rui),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "identity_unconfirmed"]);
    expect(await kit.newMails()).toEqual([]);
  });

  it("cannot remove another admin's access for a day as admins", async () => {
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    const helena = { params: { id: helenaId } };
    const demote = () =>
      fresh.call(changeUser, { ...helena, body: { profile: "analyst", applications: ["payments"] } });
    for (const answer of [await demote(), await fresh.call(removeUser, helena)]) {
      expect([answer.status, answer.body.code]).toEqual([403, "admin_too_new"]);
      expect(answer.body.message).toContain("13/08/2026 10:00");
    }
    // New people may not invite people who prepare payments, in any way; they may invite an analyst.
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

describe("a change of the policy", () => {
  it("distinguishes two operators of the same name by their e-mail addresses", async () => {
    const second = await kit.colleague();
    await kit.inForce({ operatorApprovers: [ruiId] });
    await kit.colleague("rui@gmail.example", "Rui Tavares", "operator");
    const policy: ControlPolicyOnWire = {
      ...policyOnWire(firstPolicy),
      operator_approvers: [await kit.fetchId("rui@gmail.example")],
    };
    await kit.admin.call(saveControls, { body: { version: 1, policy } });
    expect((await fetchRequests(second))[0].facts).toEqual([
      {
        label: "Operadores que aprovam",
        value: "Rui Tavares <rui@aurora.example> → Rui Tavares <rui@gmail.example>",
      },
    ]);
  });

  it("names the operators who may approve by it, and shows the old and the new values", async () => {
    const second = await kit.colleague();
    await kit.inForce({ operatorApprovers: [ruiId] });
    await kit.colleague("ze@aurora.example", "Zé Laranja", "operator");
    const sockId = await kit.fetchId("ze@aurora.example");
    await kit.newMails();
    const policy: ControlPolicyOnWire = {
      ...policyOnWire(firstPolicy),
      operator_approvers: [sockId],
      quarantine_hours: 48,
    };
    const saved = await kit.admin.call(saveControls, { body: { version: 1, policy } });
    expect(saved.body.outcome).toBe("waits_for_approval");
    const [request] = await fetchRequests(second);
    const facts = [
      {
        label: "Operadores que aprovam",
        value: "Rui Tavares <rui@aurora.example> → Zé Laranja <ze@aurora.example>",
      },
      { label: "Espera de pessoas e contas novas", value: "24 horas → 48 horas" },
    ];
    expect(request.facts).toEqual(facts);
    for (const { to, text } of await kit.newMails()) {
      expect(to).toBe("segunda@aurora.example");
      expect(text).toContain("Rui Tavares <rui@aurora.example> → Zé Laranja <ze@aurora.example>");
    }
    await approveOne(second, request);
    expect((await kit.newMails()).map(({ text }) => text).join()).toContain(
      "Rui Tavares <rui@aurora.example> → Zé Laranja <ze@aurora.example>",
    );
  });
});

it("hashes every field that will be paid into the digest of a batch", async () => {
  const { id } = await draft(kit.operator, [pix(10_00), pix(20_00)]);
  await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
  const digest = async () => (await kit.admin.call(readBatchApprovals, { params: { id } })).body.digest;
  const before = await digest();
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  // Changes outside the product do not cancel each other out.
  const [first, other] = (await batch(kit.admin, id)).transfers.map((one) => one.id);
  const { pool } = kit.services.db;
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

it("lets only a person change the reply address of e-mails, and notifies every admin", async () => {
  const change = { body: { reply_to_email: "respostas@aurora.example" } };
  const byProgram = await kit.call(changeCompanySettings, change, { token: await kit.installed() });
  expect([byProgram.status, byProgram.body.code]).toEqual([403, "person_only"]);
  expect(await kit.newMails()).toEqual([]);
  expect((await kit.admin.call(changeCompanySettings, change)).status).toBe(200);
  const [mail, ...more] = await kit.newMails();
  expect(more).toEqual([]);
  expect(mail?.to).toBe("helena@aurora.example");
  expect(mail?.text).toContain("→ respostas@aurora.example");
  // An unchanged value notifies no person.
  await kit.admin.call(changeCompanySettings, change);
  expect(await kit.newMails()).toEqual([]);
});
