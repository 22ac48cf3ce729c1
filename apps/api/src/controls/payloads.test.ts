/** A stored request is read back exactly as it was made, or not at all. */
import { readControls } from "@malote/contracts/controls";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { approveOne, type ControlsKit, fetchRequests, openControls, save } from "../testing/controls-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
});
afterEach(() => kit.close());

it("does not execute a request whose stored content is not of its kind, and leaves it open", async () => {
  const inForce = async () => (await kit.admin.call(readControls)).body.policy.operators_may_withdraw;
  const keep = (value: string) =>
    kit.query(
      "UPDATE approval_requests SET payload = jsonb_set(payload, '{policy,operatorsMayWithdraw}', $1)",
      [value],
    );
  await save(kit.admin, { operators_may_withdraw: false });
  const [request] = await fetchRequests(second);
  await keep('"false"');
  expect((await approveOne(second, request)).status).toBe(500);
  expect(await fetchRequests(second)).toMatchObject([{ id: request.id, status: "pending" }]);
  expect(await inForce()).toBe(true);
  await keep("false");
  expect((await approveOne(second, request)).body.status).toBe("approved");
  expect(await inForce()).toBe(false);
});
