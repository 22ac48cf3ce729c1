/** Senders of one process: one per company, and none that keeps others waiting. */
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  auroraId,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
  releaseOnly,
} from "../testing/payments-kit.ts";
import { sendingCalls } from "../testing/sending-kit.ts";
import { sendInTurn } from "./send-in-turn.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { released } = sendingCalls(() => kit);

/** Records how many payments each call to the network carries. */
function watchCalls(during: () => Promise<void> = async () => undefined): number[] {
  const sent: number[] = [];
  const { rails } = kit.services;
  kit.services.rails = {
    ...rails,
    async send(orders) {
      sent.push(orders.length);
      if (sent.length === 1) await during();
      return rails.send(orders);
    },
  };
  return sent;
}

it("ends a call during a run at once, and the run sends what is due by then", async () => {
  const first = await released([pix(10_00)]);
  const second = await draft(kit.admin, [pix(20_00), pix(30_00)]);
  await closing(kit.admin, second.id);
  await releaseOnly(kit, first);
  let endedDuringRun = false;
  const sent = watchCalls(async () => {
    await releaseOnly(kit, second.id);
    await sendInTurn(kit.services, { companyId: auroraId });
    endedDuringRun = true;
  });
  await sendInTurn(kit.services, { companyId: auroraId });
  expect(endedDuringRun).toBe(true);
  expect(sent).toEqual([1, 2]);
});

it("ends a turn of the schedule after its blocks, and the next one continues", async () => {
  const block = await released(Array.from({ length: 500 }, () => pix(1_00)));
  const one = await draft(kit.admin, [pix(2_00)]);
  await closing(kit.admin, one.id);
  for (const id of [block, one.id]) await releaseOnly(kit, id);
  const sent = watchCalls();
  await sendInTurn(kit.services, { companyId: auroraId, blocksMax: 1 });
  expect(sent).toEqual([500]);
  await sendInTurn(kit.services, { companyId: auroraId, blocksMax: 1 });
  expect(sent).toEqual([500, 1]);
});
