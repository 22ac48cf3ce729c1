/** Changes of a policy, and values that are no policy. */
import { readCompanySettings } from "@malote/contracts/company";
import { type ControlPolicyOnWire, readControls, saveControls } from "@malote/contracts/controls";
import { confirmIdentity } from "@malote/contracts/session";
import { createUser } from "@malote/contracts/users";
import { firstPolicy } from "@malote/domain/controls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import {
  anaId,
  approveOne,
  type ControlsKit,
  fetchRequests,
  openControls,
  ruiId,
  save,
} from "../testing/controls-kit.ts";
import { closing, draft } from "../testing/payments-kit.ts";
import { policyOnWire } from "./save-policy.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

describe("the policy", () => {
  const quiet = policyOnWire(firstPolicy);
  /** Only these fields are required. */
  const saveOnly = (by: Person, changes: Partial<ControlPolicyOnWire>, version?: number) =>
    save(by, { ...quiet, ...changes }, version);
  const alone = () =>
    kit.services.db.pool.query(
      "UPDATE users SET profile = 'operator', session_version = session_version + 1 WHERE email = 'segunda@aurora.example'",
    );
  const fetchSetting = async (by: Person) => (await by.call(readCompanySettings)).body.asksForApprovals;

  it("can be read and changed only by admins in person", async () => {
    expect((await kit.call(readControls)).status).toBe(401);
    expect((await kit.operator.call(readControls)).status).toBe(403);
    expect((await kit.analyst.call(saveControls, { body: { version: 0, policy: quiet } })).status).toBe(403);
    const token = await kit.installed();
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

  it("ruling D21: can be turned on, by two admins where two exist", async () => {
    expect((await saveOnly(kit.admin, { requires_other_approver: true })).body.outcome).toBe(
      "waits_for_approval",
    );
    expect(await fetchSetting(kit.admin)).toBe(false);
    const [request] = await fetchRequests(second);
    expect(request).toMatchObject({ kind: "POLICY", amount: null });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    await kit.subjects();
    expect((await approveOne(second, request)).body.status).toBe("approved");
    expect(await kit.subjects()).toEqual([
      "helena@aurora.example Os controles da sua empresa mudaram",
      "segunda@aurora.example Os controles da sua empresa mudaram",
    ]);
    expect(await fetchSetting(kit.admin)).toBe(true);
    const { body } = await kit.admin.call(readControls);
    expect(body).toMatchObject({
      version: 1,
      policy: { requires_other_approver: true },
      history: [
        {
          made_by: "Helena Prado",
          approved_by: "Segunda Admin",
          changes: [{ label: "Exigir aprovação por outra pessoa", value: "Não → Sim" }],
        },
      ],
    });
    const own = await draft(kit.admin);
    expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
  });

  it("is tightened immediately and loosened a day later by one admin alone, with an e-mail, and may be restored meanwhile", async () => {
    await alone();
    // Another person can approve: no policy may demand what only its maker could give.
    await kit.inForce({ operatorApprovers: [ruiId] });
    const loose = { operator_approvers: [ruiId] };
    const strict = { ...loose, requires_other_approver: true };
    expect((await saveOnly(kit.admin, strict)).body.outcome).toBe("in_force");
    expect(await fetchSetting(kit.admin)).toBe(true);
    await kit.subjects();
    expect((await saveOnly(kit.admin, loose)).body).toEqual({
      outcome: "later",
      in_force_at: "2026-08-13T13:00:00.000Z",
    });
    expect(await kit.subjects()).toEqual(["helena@aurora.example Os controles da sua empresa vão mudar"]);
    expect((await kit.admin.call(readControls)).body).toMatchObject({
      policy: { requires_other_approver: true },
      later: { policy: { requires_other_approver: false } },
    });
    await kit.pass({ hours: 23, minutes: 59 });
    expect(await fetchSetting(kit.admin)).toBe(true);
    // Saving the policy in force again replaces the pending version.
    await saveOnly(kit.admin, strict);
    await kit.pass({ minutes: 1 });
    expect(await fetchSetting(kit.admin)).toBe(true);
    await saveOnly(kit.admin, loose);
    await kit.pass({ hours: 24 });
    expect(await fetchSetting(kit.admin)).toBe(false);
  });

  it("keeps the time of a pending change that is saved again unchanged, and restarts it for another one", async () => {
    await alone();
    await kit.inForce({ operatorApprovers: [ruiId], requiresOtherApprover: true });
    const loose = { operator_approvers: [ruiId] };
    const first = { outcome: "later", in_force_at: "2026-08-13T13:00:00.000Z" };
    expect((await saveOnly(kit.admin, loose)).body).toEqual(first);
    const { version } = (await kit.admin.call(readControls)).body;
    await kit.subjects();
    await kit.pass({ hours: 5 });
    expect((await saveOnly(kit.admin, loose)).body).toEqual(first);
    expect((await kit.admin.call(readControls)).body).toMatchObject({
      version,
      later: { in_force_at: first.in_force_at },
    });
    expect(await kit.subjects()).toEqual([]);
    const other = { ...loose, operators_may_withdraw: false };
    expect((await saveOnly(kit.admin, other)).body.in_force_at).toBe("2026-08-13T18:00:00.000Z");
    expect((await saveOnly(kit.admin, loose)).body.in_force_at).toBe("2026-08-13T18:00:00.000Z");
    // The first pending version never comes into force after others replaced it.
    await kit.pass({ hours: 23, minutes: 59 });
    expect(await fetchSetting(kit.admin)).toBe(true);
    await kit.pass({ minutes: 1 });
    expect(await fetchSetting(kit.admin)).toBe(false);
    const { history } = (await kit.admin.call(readControls)).body;
    const changes = [{ label: "Exigir aprovação por outra pessoa", value: "Sim → Não" }];
    expect(history.slice(0, 3).map((one) => one.changes)).toEqual([
      changes,
      expect.arrayContaining(changes),
      changes,
    ]);
  });

  it("shows the pending change, also if more versions were saved since than the history lists", async () => {
    await alone();
    await kit.inForce({ operatorApprovers: [ruiId], requiresOtherApprover: true });
    for (let hours = 1; hours <= 35; hours++)
      await saveOnly(kit.admin, { operator_approvers: [ruiId], quarantine_hours: 72 + hours });
    const { version, later, policy, history } = (await kit.admin.call(readControls)).body;
    expect(history).toHaveLength(30);
    expect([version, policy.requires_other_approver, later.policy.quarantine_hours]).toEqual([36, true, 107]);
    await kit.pass({ hours: 24 });
    const now = (await kit.admin.call(readControls)).body;
    expect([now.later, now.policy.quarantine_hours]).toEqual([null, 107]);
  });

  it("requires the password again from the approver of a change, too", async () => {
    await saveOnly(kit.admin, { quarantine_hours: 48 });
    const [request] = await fetchRequests(second);
    await kit.ageConfirmations();
    expect((await approveOne(second, request)).body.code).toBe("identity_unconfirmed");
    expect(await fetchRequests(second)).toMatchObject([{ id: request.id, status: "pending" }]);
    expect((await kit.admin.call(readControls)).body.version).toBe(0);
  });

  it("requires the password again after five minutes, and changes nothing until then", async () => {
    await kit.ageConfirmations();
    for (const by of [kit.admin, second])
      expect(await saveOnly(by, { quarantine_hours: 48 })).toMatchObject({
        status: 403,
        body: { code: "identity_unconfirmed", message: "Confirme sua senha para continuar." },
      });
    expect((await kit.admin.call(readControls)).body).toMatchObject({ version: 0, policy: quiet });
    expect(await fetchRequests(second)).toEqual([]);
    expect(await kit.subjects()).toEqual([]);
    expect((await kit.admin.call(confirmIdentity, { body: { password: demoPassword } })).status).toBe(200);
    expect((await saveOnly(kit.admin, { quarantine_hours: 48 })).body.outcome).toBe("waits_for_approval");
  });

  it("is refused if only its maker could approve, with a sentence that says who is missing", async () => {
    await alone();
    const needing: Partial<ControlPolicyOnWire>[] = [
      { requires_other_approver: true },
      {
        bands: [
          { from: 0, approvers: 0 },
          { from: 1_000_00, approvers: 1 },
        ],
      },
    ];
    for (const changes of needing) {
      const refused = await saveOnly(kit.admin, changes);
      expect([refused.status, refused.body.code]).toEqual([422, "controls_without_others"]);
      expect(refused.body.message).toBe(
        "Com estes controles, só você poderia aprovar, e ninguém aprova o que preparou. Inclua outro administrador de pagamentos ou escolha um operador que aprova.",
      );
    }
    // A person who was invited and never signed in does not count yet.
    const body = {
      email: "nova@aurora.example",
      name: "Nova Pessoa",
      profile: "admin",
      applications: ["payments"],
    };
    expect((await kit.admin.call(createUser, { body })).status).toBe(200);
    const waits = await saveOnly(kit.admin, { requires_other_approver: true });
    expect(waits.body.message).toContain("Nova Pessoa ainda não escolheu a senha.");
    expect((await kit.admin.call(readControls)).body.version).toBe(0);
    // An operator who approves counts as another person; naming one loosens the policy, so it waits a day.
    const named = { requires_other_approver: true, operator_approvers: [ruiId] };
    expect((await saveOnly(kit.admin, named)).body.outcome).toBe("later");
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
    ["an operator who is none", { operator_approvers: [anaId] }, "controls_operator_gone"],
    ["a code of people without a factor", { step_up_from: 0 }, "controls_without_factor"],
    ["a wait of months", { quarantine_hours: 9_999 }, "invalid_request"],
    ["four people", { bands: [{ from: 0, approvers: 4 }] }, "invalid_request"],
  ])("refuses %s", async (_what, changes, code) => {
    expect((await saveOnly(kit.admin, changes)).body.code).toBe(code);
    expect((await kit.admin.call(readControls)).body.version).toBe(0);
  });

  it("refuses a change of another version, and the approval of an outdated change", async () => {
    await saveOnly(kit.admin, { requires_other_approver: true });
    const [request] = await fetchRequests(second);
    expect((await saveOnly(second, { quarantine_hours: 48 })).body.code).toBe("approval_request_open");
    await kit.inForce({ quarantineHours: 72 });
    expect((await saveOnly(kit.admin, {}, 0)).body.code).toBe("controls_changed");
    expect((await approveOne(second, request)).body.code).toBe("controls_changed");
  });

  it("cannot be approved by an admin who was added an hour ago", async () => {
    await saveOnly(kit.admin, { requires_other_approver: true });
    const [request] = await fetchRequests(second);
    await kit.services.db.pool.query(
      "UPDATE users SET known_since = $1 WHERE email = 'segunda@aurora.example'",
      [kit.clock.now()],
    );
    expect((await approveOne(second, request)).body.code).toBe("approver_too_new");
  });
});
