/** A request ends when nothing is left of what it asks for. */
import { randomUUID } from "node:crypto";
import { approveInfractions } from "@malote/contracts/contestations";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { reported } from "../testing/contestations.ts";
import { approveOne, type ControlsKit, openControls, requestsOf } from "../testing/controls-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
});
afterEach(() => kit.close());

const key = () => ({ "idempotency-key": randomUUID() });
const openOf = async (by: Person) =>
  (await requestsOf(by)).filter(({ status }: { status: string }) => status === "pending");

it("of two that share an infraction, the other ends when one is carried out", async () => {
  await kit.inForce({ requiresOtherApprover: true });
  const [one, two] = [await reported(kit, 200_00), await reported(kit, 300_00)];
  const answer = (infraction_ids: string[]) =>
    kit.admin.call(approveInfractions, { body: { infraction_ids, analysis: "accepted" } }, key());
  await answer([one.id, two.id]);
  // Each request is about the first of its infractions.
  await answer([[one.id, two.id].sort()[1] ?? ""]);
  const [first, other] = await openOf(second);
  expect([first.amount, other.amount]).toContain(500_00);
  expect((await approveOne(second, first)).body.status).toBe("approved");
  expect((await approveOne(second, other)).body.code).toBe("approval_request_obsolete");
  expect(await openOf(second)).toEqual([]);
  await kit.drainJobs();
});
