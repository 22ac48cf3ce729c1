/**
 * SHL-038: a suspended function stops in every way it can be requested, and no other function stops (decision 0056).
 */
import { randomUUID } from "node:crypto";
import { approveInfractions } from "@malote/contracts/contestations";
import { moneyFunctions } from "@malote/domain/suspended-functions";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkoutCalls } from "../testing/checkout-kit.ts";
import { fetchInfraction, receiveInfraction } from "../testing/contestations.ts";
import { approveOne, type ControlsKit, fetchRequests, openControls } from "../testing/controls-kit.ts";
import { setCompany } from "../testing/operator-kit.ts";
import { auroraId, fetchBalance } from "../testing/payments-kit.ts";
import { outflowWays, suspend, suspendAllBut, waysIn } from "../testing/ways-of-money.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls({ balance: 1_000_00 });
});
afterEach(() => kit.close());

const ways = [...outflowWays, ...waysIn];

it.each(ways)(
  "SHL-038 SES-059 $way is refused with the reason while '$by' is suspended, and works again afterwards",
  async ({ by, says = `"${moneyFunctions[by]}" está suspensa`, begin }) => {
    const makeCall = await begin(kit);
    const before = await fetchBalance(kit.admin);
    await suspend(kit, by);
    const refused = await makeCall();
    expect(refused).toEqual({ isDone: false, says: expect.stringContaining(says) });
    expect(await fetchBalance(kit.admin)).toBe(before);
    await suspend(kit);
    expect(await makeCall()).toMatchObject({ isDone: true });
  },
);

it.each(ways)("$way works while every other function of money is suspended", async ({ by, needs, begin }) => {
  const makeCall = await begin(kit);
  await suspendAllBut(kit, by, ...(needs ?? []));
  expect(await makeCall()).toEqual({ isDone: true, says: "" });
});

it("SHL-038 approving a waiting infraction is refused while returning is suspended", async () => {
  const second = await kit.colleague();
  await kit.inForce({ requiresOtherApprover: true });
  const { id } = await receiveInfraction(kit, 60_00);
  const before = await fetchBalance(kit.admin);
  const body = { infraction_ids: [id], analysis: "accepted" as const };
  const requested = await kit.admin.call(approveInfractions, { body }, { "idempotency-key": randomUUID() });
  expect(requested.body.awaits_approval).toBe(true);
  await suspend(kit, "payin_refund_med");
  const [request] = await fetchRequests(second);
  expect((await approveOne(second, request)).body.code).toBe("function_suspended");
  expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("pending");
  expect(await fetchBalance(kit.admin)).toBe(before);
  await suspend(kit);
  expect((await approveOne(second, request)).status).toBe(200);
  expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("accepted");
});

it("repeats the answer of a charge that a payer requested before the suspension", async () => {
  const { makeLink, pay, byCard } = checkoutCalls(
    () => kit,
    () => "10.9.1.1",
  );
  await setCompany(kit.services, auroraId, { hasBoletoCharge: true, hasCardCharge: true });
  const { token } = await makeLink({ payment_methods: ["pix", "credit_card"] });
  const requested = { id: randomUUID(), ...byCard() };
  expect((await pay(token, requested)).body.state).toBe("paid");
  await suspend(kit, "payin_credit_card");
  expect((await pay(token, requested)).body.state).toBe("paid");
  expect((await pay(token, { ...requested, id: randomUUID() })).status).not.toBe(200);
});
