/**
 * No money leaves the account of a blocked company, even if it was requested before the block; it leaves after the
 * block.
 */
import { randomUUID } from "node:crypto";
import { listWaitingBatches } from "@malote/contracts/batches";
import { approveInfractions } from "@malote/contracts/contestations";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { offerMoney } from "../offer-money.ts";
import { listCompaniesWithPayableBatches } from "../payouts/batches/store.ts";
import { listCompaniesWithDuePayments } from "../payouts/index.ts";
import { RailFault } from "../ports/rails.ts";
import { defend, fetchInfraction, receiveInfraction } from "../testing/contestations.ts";
import {
  approveOne,
  type ControlsKit,
  fetchRequests,
  openControls,
  rejectOne,
} from "../testing/controls-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatuses,
  paidFor,
  pix,
  releaseOnly,
} from "../testing/payments-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls({ balance: 0 });
});
afterEach(() => kit.close());

const setBlocked = (blocked: boolean) =>
  kit.query("UPDATE companies SET blocked = $2 WHERE company_id = $1", [auroraId, blocked]);
const isDue = async () => (await listCompaniesWithDuePayments(kit.services)).includes(auroraId);
const refused = { status: 403, body: { code: "company_blocked" } };

describe("a block of the company", () => {
  it("BAT-031 a batch whose money arrives keeps waiting, shows the reason, and is released after the block", async () => {
    const { id } = await draft(kit.admin, [pix(20_00)]);
    await closing(kit.admin, id);
    await setBlocked(true);
    await kit.deposit(50_00);
    await kit.pass({ days: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "WAITING",
      waiting_reason: expect.stringContaining("Sua conta está bloqueada para pagamentos."),
    });
    expect(await fetchBalance(kit.admin)).toBe(50_00);
    const payable = () =>
      kit.services.db.withSystem((tx) => listCompaniesWithPayableBatches(tx, kit.clock.now()));
    expect(await payable()).toEqual([]);

    await setBlocked(false);
    expect((await batch(kit.admin, id)).waiting_reason).toBeNull();
    expect(await payable()).toEqual([auroraId]);
    await offerMoney(kit.services, { companyId: auroraId });
    await kit.pass({ seconds: 1 });
    await kit.pass({ minutes: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    expect(await fetchBalance(kit.admin)).toBe(30_00);
  });

  it("BAT-080 a batch that waits only for the end of the block shows no missing money", async () => {
    const { id } = await draft(kit.admin, [pix(20_00)]);
    await closing(kit.admin, id);
    await setBlocked(true);
    await kit.deposit(50_00);
    const { body } = await kit.analyst.call(listWaitingBatches);
    expect(body).toMatchObject({ data: [{ id }], total: 20_00, balance: 50_00, missing: 0 });
  });

  it("a scheduled payment is not sent on its day, but after the block", async () => {
    const id = await paidFor(kit, [pix(20_00, { payment_date: "2026-08-13" })]);
    await kit.drainJobs();
    await setBlocked(true);
    await kit.pass({ days: 2 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["SCHEDULED"]);
    expect(await isDue()).toBe(false);
    await setBlocked(false);
    expect(await isDue()).toBe(true);
    await kit.pass({ seconds: 1 });
    await kit.pass({ minutes: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  });

  it.each(["not_sent", "lost"])(
    "a payment that the network does not have (%s) is not resent",
    async (how) => {
      const id = await paidFor(kit, [pix(20_00)]);
      await releaseOnly(kit, id);
      const { rails } = kit.services;
      let sent = 0;
      kit.services.rails = {
        ...rails,
        send: () => {
          sent++;
          throw new RailFault("the network is away", { left: how === "lost" ? "maybe" : "no" });
        },
      };
      await kit.pass({ seconds: 1 });
      kit.services.rails = rails;
      expect(sent).toBe(1);
      await setBlocked(true);
      for (let hours = 0; hours < 5; hours++) await kit.pass({ hours: 1 });
      expect(await fetchStatuses(kit.admin, id)).toEqual(["EXECUTING"]);
      await setBlocked(false);
      await kit.pass({ hours: 1 });
      await kit.pass({ seconds: 1 });
      expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    },
  );
});

describe("a received payment", () => {
  const received = async (value: number) => {
    const endToEndId = await kit.deposit(value);
    return (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body.items[0].id as string;
  };
  const refund = (id: string) =>
    kit.admin.call(
      refundPayin,
      { params: { id }, body: { amount: 60_00 } },
      { "idempotency-key": randomUUID() },
    );

  it("is not refunded", async () => {
    const id = await received(100_00);
    await setBlocked(true);
    expect(await refund(id)).toMatchObject(refused);
    expect(await fetchBalance(kit.admin)).toBe(100_00);
  });

  it("is not refunded by the approval of an earlier request, which can be rejected", async () => {
    const second = await kit.colleague();
    await kit.inForce({ requiresOtherApprover: true });
    const id = await received(100_00);
    expect((await refund(id)).body.awaits_approval).toBe(true);
    await setBlocked(true);
    const [request] = await fetchRequests(second);
    expect(await approveOne(second, request)).toMatchObject(refused);
    expect(await fetchBalance(kit.admin)).toBe(100_00);
    expect((await rejectOne(second, request.id)).status).toBe(200);
  });

  it("waits if its refund was requested and the network does not have it yet", async () => {
    const id = await received(100_00);
    await refund(id);
    kit.enqueued.splice(0);
    await setBlocked(true);
    await kit.pass({ hours: 1 });
    const refundIs = () => kit.query("SELECT status FROM payin_refunds WHERE payin_id = $1", [id]);
    expect(await refundIs()).toEqual([{ status: "processing" }]);
    await setBlocked(false);
    await kit.pass({ seconds: 1 });
    await kit.pass({ minutes: 1 });
    expect(await refundIs()).toEqual([{ status: "succeeded" }]);
  });

  it("MED-020 is not returned by the approval of an earlier infraction, which can be defended", async () => {
    const second = await kit.colleague();
    await kit.inForce({ requiresOtherApprover: true });
    const [alone, together] = [await receiveInfraction(kit, 60_00), await receiveInfraction(kit, 40_00)];
    const makeCall = (ids: readonly string[]) =>
      kit.admin.call(
        approveInfractions,
        { body: { infraction_ids: [...ids], analysis: "accepted" } },
        { "idempotency-key": randomUUID() },
      );
    for (const { id } of [alone, together]) expect((await makeCall([id])).body.awaits_approval).toBe(true);
    await setBlocked(true);
    for (const request of await fetchRequests(second))
      expect(await approveOne(second, request)).toMatchObject(refused);
    expect(await fetchBalance(kit.admin)).toBe(100_00);
    expect((await fetchInfraction(kit.admin, alone.id)).analysis_status).toBe("pending");
    const against = { analysis: "rejected", analysis_description: "A venda foi entregue." };
    expect((await defend(kit, kit.operator.token, alone.id, against)).status).toBe(200);
    expect((await fetchInfraction(kit.admin, alone.id)).analysis_status).toBe("rejected");
  });

  it("MED-012 MED-020 that is contested cannot be approved, can be defended, and is returned without an answer", async () => {
    const [agreed, defended] = [await receiveInfraction(kit, 60_00), await receiveInfraction(kit, 40_00)];
    await setBlocked(true);
    const body = { infraction_ids: [agreed.id], analysis: "accepted" as const };
    expect(
      await kit.admin.call(approveInfractions, { body }, { "idempotency-key": randomUUID() }),
    ).toMatchObject(refused);
    const said = { analysis: "accepted", analysis_description: "Foi mesmo uma fraude." };
    expect(await defend(kit, kit.admin.token, agreed.id, said)).toMatchObject(refused);
    expect((await fetchInfraction(kit.admin, agreed.id)).analysis_status).toBe("pending");
    const against = { analysis: "rejected", analysis_description: "A venda foi entregue." };
    expect((await defend(kit, kit.admin.token, defended.id, against)).status).toBe(200);
    expect(await fetchBalance(kit.admin)).toBe(100_00);
    await kit.pass({ days: 4 });
    expect((await fetchInfraction(kit.admin, agreed.id)).analysis_status).toBe("delayed");
    expect(await fetchBalance(kit.admin)).toBe(40_00);
  });
});
