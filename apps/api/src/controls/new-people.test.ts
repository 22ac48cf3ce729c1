/**
 * New people, and people who came back by a link: with whom they count, what they may not change yet, and for how long.
 */
import { readControls } from "@malote/contracts/controls";
import { spendPasswordLink } from "@malote/contracts/session";
import {
  changeUser,
  createUser,
  removeUser,
  resetTwoFactor,
  sendPasswordLink,
} from "@malote/contracts/users";
import { firstPolicy } from "@malote/domain/controls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  openControls,
  save,
  withdraw,
} from "../testing/controls-kit.ts";
import { closing, draft, pix } from "../testing/payments-kit.ts";
import { policyOnWire } from "./save-policy.ts";

const both = ["payments", "validation"] as const;
const bands = bandsOf([0, 0], [1_000_00, 1]);

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
});
afterEach(() => kit.close());

type Profile = "admin" | "operator" | "analyst";
const invite = (by: Person, email: string, profile: Profile) =>
  by.call(createUser, { body: { name: "Pessoa Nova", email, profile, applications: both } });

const change = async (by: Person, email: string, profile: Profile, applications: readonly string[] = both) =>
  by.call(changeUser, { params: { id: await kit.fetchId(email) }, body: { profile, applications } });
const remove = async (by: Person, email: string) =>
  by.call(removeUser, { params: { id: await kit.fetchId(email) } });
/** Uses the link of the last e-mail to a person, as a thief of the mailbox would: the thief can sign in afterwards. */
async function comeBackByLink(by: Person, email: string): Promise<Person> {
  kit.mails.splice(0);
  expect((await by.call(sendPasswordLink, { params: { id: await kit.fetchId(email) } })).status).toBe(200);
  await kit.drainJobs();
  const text = kit.mails.find(({ to }) => to === email)?.text ?? "";
  const token = /senha=([\w-]+)/.exec(text)?.[1] ?? "";
  const chosen = await kit.call(spendPasswordLink, { body: { token, newPassword: demoPassword } });
  expect(chosen.status).toBe(200);
  return kit.as(email);
}

const tooNew = { status: 403, body: { code: "admin_too_new" } };

describe("people who gave access", () => {
  it("count as one preparer with the person for a day each: another admin's change replaces no entry", async () => {
    await kit.inForce({ bands });
    const second = await kit.colleague();
    const puppet = await kit.addPerson(kit.admin, "puppet@aurora.example", "operator");
    const { id } = await draft(puppet, [pix(1_500_00)]);
    expect((await closing(kit.admin, id)).body.code).toBe("approver_is_creator");
    // The result does not depend on what becomes of the invented user.
    expect((await change(second, "puppet@aurora.example", "analyst")).status).toBe(200);
    for (const by of [kit.admin, second])
      expect((await closing(by, id)).body.code).toBe("approver_is_creator");
    await kit.pass({ hours: 12 });
    expect((await change(second, "puppet@aurora.example", "operator")).status).toBe(200);
    await kit.pass({ hours: 12 });
    // Each person counts by their own hours, from the last time they gave access.
    expect((await closing(second, id)).body.code).toBe("approver_is_creator");
    expect((await closing(kit.admin, id)).body).toMatchObject({ is_batch_paid: true });
    await kit.drainJobs();
  });

  it("count both when they change the same person concurrently", async () => {
    await kit.inForce({ bands });
    const second = await kit.colleague();
    const { id } = await draft(kit.operator, [pix(1_500_00)]);
    const answers = await Promise.all([
      change(kit.admin, "rui@aurora.example", "operator", ["payments"]),
      change(second, "rui@aurora.example", "analyst"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const by of [kit.admin, second])
      expect((await closing(by, id)).body.code).toBe("approver_is_creator");
  });
});

describe("a person who is removed and invited again by the same e-mail", () => {
  it("is the same person: approves no batch of their own, and no request of their own", async () => {
    await kit.inForce({ bands });
    await kit.colleague();
    const second = await kit.as("segunda@aurora.example");
    const { id } = await draft(second, [pix(1_500_00)]);
    expect((await withdraw(second)).body.awaits_approval).toBe(true);
    expect((await remove(kit.admin, "segunda@aurora.example")).status).toBe(200);
    const again = await kit.addPerson(kit.admin, "segunda@aurora.example", "admin");
    await kit.pass({ hours: 25 });
    expect((await closing(again, id)).body.code).toBe("approver_is_creator");
    const [request] = await fetchRequests(again);
    expect((await approveOne(again, request)).body.code).toBe("approver_is_creator");
    // The sum of their day does not restart when another person decides.
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    expect((await closing(kit.admin, id)).body).toMatchObject({ is_batch_paid: true });
    await kit.drainJobs();
  });

  it("keeps the sum of their day", async () => {
    await kit.inForce({ bands, quarantineHours: 0 });
    const second = await kit.colleague();
    const first = await draft(second, [pix(600_00)]);
    expect((await closing(second, first.id)).body.is_batch_paid).toBe(true);
    await remove(kit.admin, "segunda@aurora.example");
    const again = await kit.addPerson(kit.admin, "segunda@aurora.example", "admin");
    const next = await draft(again, [pix(600_00)]);
    expect((await closing(again, next.id)).body.code).toBe("approver_is_creator");
    await kit.drainJobs();
  });
});

describe("a new admin", () => {
  it("changes no policy for a day, and does not count as an available approver for the admin who added them", async () => {
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    const refused = await save(fresh, { requires_other_approver: true, quarantine_hours: 168 });
    expect(refused).toMatchObject(tooNew);
    expect(refused.body.message).toContain("13/08/2026 10:00");
    expect((await kit.admin.call(readControls)).body.version).toBe(0);
    expect((await save(kit.admin, { operators_may_withdraw: false })).body.outcome).toBe("in_force");
    expect((await save(kit.admin, { operators_may_withdraw: true })).body.outcome).toBe("later");
    await kit.pass({ hours: 24 });
    // There are two admins from then on.
    for (const by of [fresh, kit.admin]) {
      const requested = await save(by, { quarantine_hours: by === fresh ? 30 : 40 });
      expect(["waits_for_approval", undefined]).toContain(requested.body.outcome);
      expect(requested.body.code ?? "approval_request_open").toBe("approval_request_open");
    }
    expect((await kit.admin.call(readControls)).body.policy.quarantine_hours).toBe(24);
  });

  it("waits for the other admin if another person gave them access: a change of access makes no admin the only one", async () => {
    const second = await kit.colleague();
    await kit.addPerson(second, "nova@aurora.example", "admin");
    expect((await change(kit.admin, "segunda@aurora.example", "admin", ["payments"])).status).toBe(200);
    const requested = await save(kit.admin, { quarantine_hours: 0 });
    expect(requested.body.outcome).toBe("waits_for_approval");
  });

  it("COM-021 COM-023 COM-024 sends no link to others, resets no factor, and changes no analyst's access", async () => {
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    const ana = { params: { id: await kit.fetchId("ana@aurora.example") } };
    const tries = () => [
      () => fresh.call(sendPasswordLink, ana),
      () => fresh.call(resetTwoFactor, ana),
      () => change(fresh, "ana@aurora.example", "analyst", ["validation"]),
      () => remove(fresh, "ana@aurora.example"),
    ];
    kit.mails.splice(0);
    for (const attempt of tries()) expect(await attempt()).toMatchObject(tooNew);
    await kit.drainJobs();
    expect(kit.mails.filter(({ to }) => to === "ana@aurora.example")).toEqual([]);
    // A new admin may invite an analyst.
    expect((await invite(fresh, "olhos@aurora.example", "analyst")).status).toBe(200);
    await kit.pass({ hours: 24 });
    for (const attempt of tries()) expect((await attempt()).body.code).not.toBe("admin_too_new");
  });

  it("requires the password again for a link to a person", async () => {
    await kit.ageConfirmations();
    const params = { id: await kit.fetchId("ana@aurora.example") };
    expect((await kit.admin.call(sendPasswordLink, { params })).body.code).toBe("identity_unconfirmed");
  });
});

describe("an admin who signed in again by a link", () => {
  it("changes no access and no policy for a day if there is another admin", async () => {
    await kit.colleague();
    const thief = await comeBackByLink(kit.admin, "segunda@aurora.example");
    for (const answer of [
      await invite(thief, "puppet@aurora.example", "operator"),
      await invite(thief, "puppet@aurora.example", "admin"),
      await remove(thief, "helena@aurora.example"),
      await change(thief, "rui@aurora.example", "admin"),
      await save(thief, { quarantine_hours: 0 }),
    ])
      expect(answer).toMatchObject(tooNew);
    await kit.pass({ hours: 24 });
    expect((await invite(thief, "puppet@aurora.example", "operator")).status).toBe(200);
  });

  it("acts immediately as the only admin, because no other can approve", async () => {
    const helena = await comeBackByLink(kit.admin, "helena@aurora.example").catch(() => undefined);
    // No admin can send themselves a link; a link that they request at sign-in starts the same wait.
    expect(helena).toBeUndefined();
    await kit.query("UPDATE users SET known_since = $1", [kit.clock.now()]);
    expect((await invite(kit.admin, "rita@aurora.example", "operator")).status).toBe(200);
    await kit.colleague();
    expect(await invite(kit.admin, "caio@aurora.example", "operator")).toMatchObject(tooNew);
  });
});

describe("a longer wait", () => {
  it("does not apply to a person who finished the old quarantine, but to a person still in it", async () => {
    await kit.inForce({ requiresOtherApprover: true, quarantineHours: 24 }, 100);
    const second = await kit.colleague();
    const { id } = await draft(kit.operator, [pix(10_00)]);
    const since = (hours: number) =>
      kit.query("UPDATE users SET known_since = $1 WHERE email = 'segunda@aurora.example'", [
        new Date(kit.clock.now().getTime() - hours * 3_600_000),
      ]);
    await since(30);
    await kit.inForce({ requiresOtherApprover: true, quarantineHours: 168 });
    expect((await closing(second, id)).body).toMatchObject({ is_batch_paid: true });
    await kit.drainJobs();
    const { id: next } = await draft(kit.operator, [pix(10_00)]);
    await since(23);
    expect((await closing(second, next)).body.code).toBe("approver_too_new");
    await kit.pass({ hours: 144 });
    expect((await closing(second, next)).body.code).toBe("approver_too_new");
    await kit.pass({ hours: 1 });
    expect((await closing(second, next)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
  });

  it("does not count a version that was never in force, nor let an inviter count again", async () => {
    await kit.inForce({ bands, quarantineHours: 24 }, 100);
    const puppet = await kit.addPerson(kit.admin, "puppet@aurora.example", "operator");
    await kit.pass({ hours: 20 });
    // Two versions are saved at once: the first was never in force.
    await kit.inForce({ bands, quarantineHours: 1 });
    await kit.inForce({ bands, quarantineHours: 48 });
    const { id } = await draft(puppet, [pix(1_500_00)]);
    expect((await closing(kit.admin, id)).body.code).toBe("approver_is_creator");
    await kit.pass({ hours: 28 });
    await kit.inForce({ bands, quarantineHours: 168 });
    expect((await closing(kit.admin, id)).body).toMatchObject({ is_batch_paid: true });
    await kit.drainJobs();
  });
});

it("lets another admin cancel a loosening alone before it is in force", async () => {
  await kit.inForce({ requiresOtherApprover: true }, 100);
  expect((await save(kit.admin, { requires_other_approver: false })).body.outcome).toBe("later");
  expect((await kit.admin.call(readControls)).body.later.changes).toEqual([
    { label: "Exigir aprovação por outra pessoa", value: "Sim → Não" },
  ]);
  const second = await kit.colleague();
  // Another policy needs both admins; either alone continues the one in force.
  expect((await save(second, { operators_may_correct: false })).body.outcome).toBe("waits_for_approval");
  const inForceNow = policyOnWire({ ...firstPolicy, requiresOtherApprover: true });
  expect((await save(second, inForceNow)).body.outcome).toBe("in_force");
  await kit.pass({ hours: 25 });
  const { policy, later } = (await kit.admin.call(readControls)).body;
  expect([policy.requires_other_approver, later]).toEqual([true, null]);
});
