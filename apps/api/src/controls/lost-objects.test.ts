/** A request ends when none of its objects can be approved any more. */
import { randomUUID } from "node:crypto";
import { approveInfractions } from "@malote/contracts/contestations";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { announceOutcome, defend, fetchInfraction, receiveInfraction } from "../testing/contestations.ts";
import { approveOne, type ControlsKit, fetchRequests, openControls } from "../testing/controls-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
});
afterEach(() => kit.close());

const key = () => ({ "idempotency-key": randomUUID() });
const fetchOpen = async (by: Person) =>
  (await fetchRequests(by)).filter(({ status }) => status === "pending");

const answer = (infraction_ids: readonly string[], by = kit.admin) =>
  by.call(approveInfractions, { body: { infraction_ids: [...infraction_ids], analysis: "accepted" } }, key());

it("MED-020 refuses another approval of an infraction that waits with others: alone, with others or with reasons", async () => {
  await kit.inForce({ requiresOtherApprover: true });
  const [first, other, free] = [
    await receiveInfraction(kit, 200_00),
    await receiveInfraction(kit, 300_00),
    await receiveInfraction(kit, 50_00),
  ];
  expect((await answer([first.id, other.id])).body.awaits_approval).toBe(true);
  const said = { analysis: "accepted", analysis_description: "Foi mesmo uma fraude." };
  for (const { id } of [first, other]) {
    for (const again of [[id], [id, free.id]])
      expect((await answer(again, kit.operator)).body.code).toBe("approval_request_open");
    expect((await defend(kit, kit.operator.token, id, said)).body.code).toBe("approval_request_open");
  }
  // It stays closed when the company no longer demands another person.
  await kit.inForce({});
  for (const { id } of [first, other]) expect((await answer([id])).body.code).toBe("approval_request_open");
  expect(await fetchOpen(second)).toMatchObject([{ amount: 500_00 }]);
  expect((await answer([free.id])).body).toEqual({ approved: 1 });
  await kit.drainJobs();
});

it("MED-020 defending one of several infractions that wait together ends the request for all of them", async () => {
  await kit.inForce({ requiresOtherApprover: true });
  const [first, other] = [await receiveInfraction(kit, 200_00), await receiveInfraction(kit, 300_00)];
  await answer([first.id, other.id]);
  const [request] = await fetchOpen(second);
  const said = { analysis: "rejected", analysis_description: "O produto foi entregue." };
  expect((await defend(kit, kit.operator.token, other.id, said)).status).toBe(200);
  expect((await approveOne(second, request)).body.code).toBe("approval_request_obsolete");
  expect(await fetchOpen(second)).toEqual([]);
  // The other infraction can be approved by a request of its own.
  expect((await answer([first.id])).body.awaits_approval).toBe(true);
  expect(await fetchOpen(second)).toMatchObject([{ amount: 200_00 }]);
});

it("MED-012 MED-027 returns the money by itself when no approval came before the deadline", async () => {
  await kit.inForce({ requiresOtherApprover: true });
  const { id } = await receiveInfraction(kit, 200_00);
  await answer([id]);
  expect(await fetchOpen(second)).toMatchObject([{ amount: 200_00 }]);
  await kit.pass({ days: 4 });
  expect(await fetchInfraction(kit.admin, id)).toMatchObject({
    analysis_status: "delayed",
    user: null,
    approval_request: null,
    refund: { status: "closed", refunded_amount: 200_00 },
  });
  expect(await fetchOpen(second)).toEqual([]);
});

it("MED-010 ends the wait for an approver when an infraction is contested by e-mail meanwhile", async () => {
  await kit.inForce({ requiresOtherApprover: true });
  const { id, providerId } = await receiveInfraction(kit, 200_00);
  await answer([id]);
  const [request] = await fetchOpen(second);
  expect(request.amount).toBe(200_00);
  await announceOutcome(kit, providerId, "contested_by_email");
  expect(await fetchOpen(second)).toEqual([]);
  expect((await approveOne(second, request)).body.code).toBe("approval_request_obsolete");
  expect(await fetchInfraction(kit.admin, id)).toMatchObject({
    analysis_status: "pending",
    approval_request: null,
  });
});
