/** The history of a payment names each person who decided on its batch. */
import { readPaymentHistory } from "@malote/contracts/history";
import { afterEach, beforeEach, expect, it } from "vitest";
import { approve, bandsOf, type ControlsKit, openControls, sentToApproval } from "../testing/controls-kit.ts";
import { batch, closing, draft } from "../testing/payments-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
});
afterEach(() => kit.close());

/** Returns the moments of the first payment of a batch with their people, oldest first. */
async function fetchDecisions(batchId: string): Promise<[string, string | null][]> {
  await kit.drainJobs();
  const [payment] = (await batch(kit.admin, batchId)).transfers;
  const { body } = await kit.admin.call(readPaymentHistory, {
    params: { id: payment.id },
    query: { page: "0" },
  });
  return body.items
    .toReversed()
    .filter(({ what }) => what.startsWith("batch."))
    .map(({ what, actor }) => [what, actor.name]);
}
const helena = "Helena Prado";

it("names the person who closed it if no approval was needed", async () => {
  const { id } = await draft(kit.admin);
  expect((await closing(kit.admin, id)).status).toBe(200);
  expect(await fetchDecisions(id)).toEqual([
    ["batch.closed", helena],
    ["batch.released", null],
  ]);
});

it("names each approver in turn, also those whose approval did not close it", async () => {
  const second = await kit.colleague("bia@aurora.example", "Bia Nunes");
  const third = await kit.colleague("caio@aurora.example", "Caio Reis");
  await kit.inForce({ requiresOtherApprover: true, bands: bandsOf([0, 2]) });
  const id = await sentToApproval(kit.admin);
  expect((await approve(second, id)).body.status).toBe("WAITING_APPROVAL");
  expect((await approve(third, id)).body.is_batch_paid).toBe(true);
  expect(await fetchDecisions(id)).toEqual([
    ["batch.approval_requested", helena],
    ["batch.approved", "Bia Nunes"],
    ["batch.approved", "Caio Reis"],
    ["batch.released", null],
  ]);
});
