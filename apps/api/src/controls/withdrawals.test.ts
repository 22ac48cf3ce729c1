/** A withdrawal as a request: who decides on it, how often, and until when. */
import { approveRequest } from "@malote/contracts/controls";
import { withdrawBalance } from "@malote/contracts/statement";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  openControls,
  rejectOne,
  withdraw,
} from "../testing/controls-kit.ts";
import { auroraId, closing, draft, fetchBalance, ownAccount } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const aurora = demoCompanies[0]!;

describe("a withdrawal that another person approves", () => {
  beforeEach(() => kit.inForce({ requiresOtherApprover: true }));

  it("STM-029 waits as a request, and is sent once by another person's approval, not by the requester's", async () => {
    const requested = await withdraw(kit.admin, 2_500_00);
    expect(requested.body).toMatchObject({ value: 2_500_00, execute_at: null, awaits_approval: true });
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
    expect(await kit.subjects()).toEqual(["segunda@aurora.example Resgate aguarda sua aprovação"]);

    const [request] = await fetchRequests(second);
    expect(request).toMatchObject({
      kind: "WITHDRAWAL",
      amount: 2_500_00,
      requested_by: "Helena Prado",
      missing: 1,
      may_approve: true,
      is_own: false,
    });
    expect((await fetchRequests(kit.admin))[0]).toMatchObject({ may_approve: false, is_own: true });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
    expect((await approveOne(kit.analyst, request)).status).toBe(403);
    expect((await approveOne(kit.stranger, request)).body.code).toBe("not_found");
    const machineAnswer = await kit.byMachine(await kit.installed(), approveRequest, {
      params: { id: request.id },
      body: { digest: request.digest },
    });
    expect(machineAnswer.status).toBe(403);
    expect((await approveOne(second, { ...request, digest: "another" })).body.code).toBe(
      "approval_content_changed",
    );
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);

    const twice = await Promise.all([approveOne(second, request), approveOne(second, request)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await fetchBalance(kit.admin)).toBe(97_500_00);
    expect((await approveOne(second, request)).body.code).toBe("approval_request_decided");
    await kit.drainJobs();
  });

  it("is not sent to another account than the approved one, nor above the balance, and stays open", async () => {
    await withdraw(kit.admin, 100_000_00);
    const [request] = await fetchRequests(second);
    await kit.services.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, agency: "4321" }),
    );
    expect((await approveOne(second, request)).body).toMatchObject({
      code: "approval_content_changed",
      message: expect.not.stringContaining("lote"),
    });
    await kit.services.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, name: aurora.name }),
    );
    await kit.inForce({ requiresOtherApprover: true });
    const spent = await draft(kit.operator);
    await closing(kit.admin, spent.id);
    expect((await approveOne(second, request)).body.code).toBe("insufficient_balance");
    expect((await fetchRequests(second))[0]).toMatchObject({ status: "pending", approvals: [] });
  });

  it("can be refused with a reason, cancelled by the requester, and expires after a week", async () => {
    await withdraw(kit.admin, 1_00);
    const [first] = await fetchRequests(second);
    expect((await rejectOne(kit.operator, first.id)).body.code).toBe("forbidden");
    expect((await rejectOne(second, first.id, "Sem nota")).body).toEqual({ status: "rejected" });
    expect((await fetchRequests(kit.admin))[0]).toMatchObject({
      status: "rejected",
      decided_by: "Segunda Admin",
      reason: "Sem nota",
    });
    expect((await approveOne(second, first)).body.code).toBe("approval_request_decided");

    await withdraw(kit.admin, 2_00);
    const [own] = await fetchRequests(kit.admin);
    expect((await rejectOne(kit.admin, own.id)).body).toEqual({ status: "cancelled" });

    await withdraw(kit.admin, 3_00);
    const late = (await fetchRequests(second)).find(({ status }) => status === "pending");
    await kit.pass({ days: 7 });
    expect((await approveOne(second, late)).body.code).toBe("approval_request_expired");
    const over = (await fetchRequests(second)).find(({ id }) => id === late.id);
    expect(over).toMatchObject({ status: "expired", may_approve: false });
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("waits for one person when a credential requests it, and for two if the credential has no known maker", async () => {
    const requested = await kit.byMachine(await kit.installed(), withdrawBalance, { body: { value: 50_00 } });
    expect(requested.body).toMatchObject({ awaits_approval: true });
    const [request] = await fetchRequests(kit.admin);
    expect((await approveOne(kit.admin, request)).body).toEqual({ status: "pending", missing: 1 });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approved_already");
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await fetchBalance(kit.admin)).toBe(99_950_00);
  });

  it("is refused if no other person could approve it", async () => {
    await kit.services.db.pool.query(
      "UPDATE users SET profile = 'operator', session_version = session_version + 1 WHERE email = 'segunda@aurora.example'",
    );
    const answer = await withdraw(kit.admin, 1_00);
    expect([answer.status, answer.body.code]).toEqual([422, "approvers_too_few"]);
    // A person who may not approve can still ask another one.
    expect((await withdraw(kit.operator, 1_00)).body.awaits_approval).toBe(true);
  });
});

it("STM-029 is sent immediately below the amount from which another person approves, and waits from that amount on", async () => {
  await kit.inForce({ bands: bandsOf([0, 0], [1_000_00, 1]) });
  const below = await withdraw(kit.admin, 999_99);
  expect(below.body).toEqual({ id: below.body.id, value: 999_99, execute_at: expect.any(String) });
  expect(await fetchBalance(kit.admin)).toBe(99_000_01);
  // The next day has a sum of its own.
  await kit.pass({ hours: 24 });
  const requested = await withdraw(kit.admin, 1_000_00);
  expect(requested.body).toMatchObject({ execute_at: null, awaits_approval: true });
  expect(await fetchBalance(kit.admin)).toBe(99_000_01);
});
