/** Returning received money follows the same controls as paying. */
import { randomUUID } from "node:crypto";
import { approveInfractions, type Infraction, listInfractions } from "@malote/contracts/contestations";
import { approveRequest } from "@malote/contracts/controls";
import { listPayins, readPayin, refundPayin } from "@malote/contracts/payins";
import { createUser } from "@malote/contracts/users";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { defend, fetchInfraction, receiveInfraction } from "../testing/contestations.ts";
import {
  approveOne,
  type ControlsKit,
  fetchRequests,
  openControls,
  rejectOne,
} from "../testing/controls-kit.ts";
import { auroraId, fetchBalance } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const aurora = demoCompanies[0]!;

describe("returning received money with two people", () => {
  beforeEach(() => kit.inForce({ requiresOtherApprover: true }));

  const received = async (value: number) => {
    const endToEndId = await kit.deposit(value);
    const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
    return items[0].id as string;
  };
  const refund = (id: string, amount: number, by: Person) =>
    by.call(refundPayin, { params: { id }, body: { amount } }, { "idempotency-key": randomUUID() });
  const payin = async (id: string) => (await kit.admin.call(readPayin, { params: { id } })).body;
  const refunded = async () =>
    (
      await kit.services.db.pool.query(
        "SELECT user_id FROM checkpoints WHERE checkpoint_id = 'PAYIN_REFUNDED' AND company_id = $1",
        [auroraId],
      )
    ).rows.map(({ user_id }) => user_id);
  const fetchAnalysis = async (id: string) => (await fetchInfraction(kit.admin, id)).analysis_status;

  /** Each requests 60 reais, and shows whether they are on their way. */
  const outflowWays = {
    "a refund": {
      kind: "PAYIN_REFUND",
      sentMail: "Devolução aguarda sua aprovação",
      async ready() {
        const id = await received(100_00);
        return {
          makeCall: (by: Person) => refund(id, 60_00, by),
          askByMachine: (token: string) =>
            kit.byMachine(token, refundPayin, { params: { id }, body: { amount: 60_00 } }),
          hasLeft: async () => (await payin(id)).refunded_amount === 60_00,
        };
      },
    },
    "MED-021 infractions that are approved": {
      kind: "INFRACTION",
      sentMail: "Devolução por contestação aguarda sua aprovação",
      async ready() {
        const { id } = await receiveInfraction(kit, 60_00);
        const body = { infraction_ids: [id], analysis: "accepted" as const };
        return {
          makeCall: (by: Person) =>
            by.call(approveInfractions, { body }, { "idempotency-key": randomUUID() }),
          askByMachine: (token: string) => kit.byMachine(token, approveInfractions, { body }),
          hasLeft: async () => (await fetchAnalysis(id)) === "accepted",
        };
      },
    },
    "MED-027 an answer that agrees": {
      kind: "INFRACTION",
      sentMail: "Devolução por contestação aguarda sua aprovação",
      async ready() {
        const { id } = await receiveInfraction(kit, 60_00);
        const said = { analysis: "accepted", analysis_description: "Foi mesmo uma fraude." };
        return {
          makeCall: (by: Person) => defend(kit, by.token, id, said),
          askByMachine: (token: string) => defend(kit, token, id, said),
          hasLeft: async () => (await fetchAnalysis(id)) === "accepted",
        };
      },
    },
  } as const;
  const each = Object.entries(outflowWays);

  it.each(each)("%s waits, and is sent once, by another person's approval of the request", async (_, way) => {
    const { makeCall, hasLeft } = await way.ready();
    const before = await fetchBalance(kit.admin);
    kit.mails.splice(0);
    const requested = await makeCall(kit.admin);
    expect([requested.status, requested.body.awaits_approval]).toEqual([200, true]);
    expect((await makeCall(kit.admin)).body.code).toBe("approval_request_open");
    expect((await kit.subjects()).map((mail) => mail.split(" ")[0])).toEqual(["segunda@aurora.example"]);
    const [request] = await fetchRequests(second);
    expect(request).toMatchObject({
      kind: way.kind,
      amount: 60_00,
      requested_by: "Helena Prado",
      missing: 1,
      may_approve: true,
      is_own: false,
    });
    expect(request.facts).toContainEqual({ label: "Devolver", value: "R$ 60,00" });

    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
    expect((await approveOne(kit.analyst, request)).status).toBe(403);
    expect((await approveOne(kit.stranger, request)).body.code).toBe("not_found");
    for (const token of [await kit.installed(), await kit.fetchCredential(second)]) {
      const by = await kit.byMachine(token, approveRequest, {
        params: { id: request.id },
        body: { digest: request.digest },
      });
      expect([by.status, by.body.code]).toEqual([403, "person_only"]);
    }
    expect((await approveOne(second, { ...request, digest: "of something else" })).body.code).toBe(
      "approval_content_changed",
    );
    expect([await fetchBalance(kit.admin), await hasLeft(), await refunded()]).toEqual([before, false, []]);

    const twice = await Promise.all([approveOne(second, request), approveOne(second, request)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await approveOne(second, request)).body.code).toBe("approval_request_decided");
    expect([await fetchBalance(kit.admin), await hasLeft()]).toEqual([before - 60_00, true]);
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    expect(await fetchBalance(kit.admin)).toBe(before - 60_00);
  });

  it.each(each)("%s cannot be approved by an admin who was added on this day", async (_, way) => {
    const { makeCall, hasLeft } = await way.ready();
    await makeCall(kit.admin);
    await kit.admin.call(createUser, {
      body: {
        name: "Helena Segunda",
        email: "helena+2@aurora.example",
        profile: "admin",
        applications: ["payments"],
      },
    });
    await kit.services.db.pool.query(
      "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'helena@aurora.example') WHERE email = 'helena+2@aurora.example'",
    );
    const fresh = await kit.as("helena+2@aurora.example");
    const [request] = await fetchRequests(fresh);
    expect(request).toMatchObject({
      may_approve: false,
      why_not: expect.stringContaining("13/08/2026 10:00"),
    });
    const refused = await approveOne(fresh, request);
    expect([refused.status, refused.body.code]).toEqual([403, "approver_too_new"]);
    await kit.pass({ hours: 23, minutes: 59 });
    expect((await approveOne(fresh, request)).body.code).toBe("approver_too_new");
    expect(await hasLeft()).toBe(false);
    await kit.pass({ minutes: 1 });
    expect((await approveOne(fresh, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await hasLeft()).toBe(true);
    await kit.drainJobs();
  });

  it.each(each)("%s that a credential without a known maker requests needs two people", async (_, way) => {
    const { askByMachine, hasLeft } = await way.ready();
    expect((await askByMachine(await kit.installed())).body).toMatchObject({ awaits_approval: true });
    const [request] = await fetchRequests(kit.admin);
    expect((await approveOne(kit.admin, request)).body).toEqual({ status: "pending", missing: 1 });
    expect((await approveOne(kit.admin, request)).body.code).toBe("approved_already");
    expect(await hasLeft()).toBe(false);
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect(await hasLeft()).toBe(true);
    await kit.drainJobs();
  });

  it.each(each)("%s that is refused is not sent, and can be requested again", async (_, way) => {
    const { makeCall, hasLeft } = await way.ready();
    const before = await fetchBalance(kit.admin);
    await makeCall(kit.operator);
    const [request] = await fetchRequests(second);
    expect((await rejectOne(second, request.id, "Falta o pedido do cliente")).body).toEqual({
      status: "rejected",
    });
    expect([await fetchBalance(kit.admin), await hasLeft()]).toEqual([before, false]);
    expect((await makeCall(kit.operator)).body.awaits_approval).toBe(true);
  });

  it("MED-021 an approval returns no more than was requested when a refund under way fails meanwhile", async () => {
    const { id, endToEndId } = await receiveInfraction(kit, 106_01);
    const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
    // The sandbox network refuses an amount that ends in one centavo.
    await refund(items[0].id, 66_01, kit.admin);
    await approveOne(second, (await fetchRequests(second))[0]);
    const makeCall = () =>
      kit.admin.call(
        approveInfractions,
        { body: { infraction_ids: [id], analysis: "accepted" } },
        { "idempotency-key": randomUUID() },
      );
    await makeCall();
    const [request] = await fetchRequests(second);
    expect(request).toMatchObject({ kind: "INFRACTION", amount: 40_00 });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const before = await fetchBalance(kit.admin);

    const refused = await approveOne(second, request);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "Agora seriam devolvidos R$ 106,01, mais que os R$ 40,00 deste pedido. Recuse ou cancele o pedido e peça de novo.",
    ]);
    expect([await fetchBalance(kit.admin), await fetchAnalysis(id)]).toEqual([before, "pending"]);
    await rejectOne(kit.admin, request.id);
    await makeCall();
    const [again] = await fetchRequests(second);
    expect((await approveOne(second, again)).body).toEqual({ status: "approved", missing: 0 });
    expect([await fetchBalance(kit.admin), await fetchAnalysis(id)]).toEqual([before - 106_01, "accepted"]);
    await kit.drainJobs();
  });

  it("does not execute an approved refund above the remaining amount, and keeps it open", async () => {
    const id = await received(100_00);
    await refund(id, 60_00, kit.admin);
    const [request] = await fetchRequests(second);
    await kit.inForce({});
    expect((await refund(id, 50_00, kit.operator)).body).toMatchObject({ status: "processing" });
    await kit.inForce({ requiresOtherApprover: true });
    expect((await approveOne(second, request)).body.code).toBe("refund_above_refundable");
    expect((await fetchRequests(second))[0]).toMatchObject({ status: "pending", approvals: [] });
    expect((await payin(id)).refunded_amount).toBe(50_00);
    await kit.drainJobs();
  });

  it("requires an approval for the part of an infraction that is not returned yet, and none if all of it is", async () => {
    const given = async (amount: number) => {
      const { id, endToEndId } = await receiveInfraction(kit, 100_00);
      const { items } = (await kit.admin.call(listPayins, { query: { search: endToEndId } })).body;
      await kit.inForce({});
      expect((await refund(items[0].id, amount, kit.admin)).status).toBe(200);
      await kit.drainJobs();
      await kit.pass({ seconds: 2 });
      await kit.inForce({ requiresOtherApprover: true });
      return id;
    };
    const agree = async (id: string) =>
      (
        await kit.admin.call(
          approveInfractions,
          { body: { infraction_ids: [id], analysis: "accepted" } },
          { "idempotency-key": randomUUID() },
        )
      ).body;
    expect(await agree(await given(60_00))).toEqual({ approved: 0, awaits_approval: true });
    const [request] = await fetchRequests(second);
    expect(request.amount).toBe(40_00);
    expect(request.facts).toContainEqual({ label: "Devolver", value: "R$ 40,00" });
    expect(await agree(await given(100_00))).toEqual({ approved: 1 });
  });

  it("MED-020 does not answer an infraction that was answered or expired meanwhile", async () => {
    const { id } = await receiveInfraction(kit, 60_00);
    await kit.admin.call(
      approveInfractions,
      { body: { infraction_ids: [id], analysis: "accepted" } },
      { "idempotency-key": randomUUID() },
    );
    const [request] = await fetchRequests(second);
    await defend(kit, kit.operator.token, id, {
      analysis: "rejected",
      analysis_description: "O produto foi entregue.",
    });
    expect((await approveOne(second, request)).body.code).toBe("approval_request_obsolete");
    expect(await fetchAnalysis(id)).toBe("rejected");
  });

  describe("MED-027 an infraction that waits for approval", () => {
    const listed = async (by: Person) => (await by.call(listInfractions, { query: {} })).body.items;
    const waiting = async (id: string) => (await fetchInfraction(kit.analyst, id)).approval_request;
    const agree = (by: Person, ids: readonly string[]) =>
      by.call(
        approveInfractions,
        { body: { infraction_ids: [...ids], analysis: "accepted" } },
        { "idempotency-key": randomUUID() },
      );
    const says = (infractions: number) => ({
      requested_by: "Rui Tavares",
      requested_at: kit.clock.now().toISOString(),
      infractions,
    });

    it("shows its requester and time in list and details, for each of a request, until an approver refuses", async () => {
      const [first, second_, alone] = [
        await receiveInfraction(kit, 60_00),
        await receiveInfraction(kit, 50_00),
        await receiveInfraction(kit, 40_00),
      ];
      await agree(kit.operator, [first.id, second_.id]);
      const requested = says(2);
      for (const id of [first.id, second_.id]) expect(await waiting(id)).toEqual(requested);
      expect(await waiting(alone.id)).toBeNull();
      const byId = new Map(
        (await listed(kit.analyst)).map((item: Infraction) => [item.id, item.approval_request]),
      );
      expect([first, second_, alone].map(({ id }) => byId.get(id))).toEqual([requested, requested, null]);
      const [request] = await fetchRequests(second);
      await rejectOne(second, request.id, "Falta a nota");
      expect(await waiting(first.id)).toBeNull();
    });

    it("shows the request of an answer with its reasons immediately, and no longer after its approval", async () => {
      const { id } = await receiveInfraction(kit, 60_00);
      const answer = await defend(kit, kit.operator.token, id, {
        analysis: "accepted",
        analysis_description: "Foi mesmo uma fraude.",
      });
      expect(answer.body).toMatchObject({ awaits_approval: true, approval_request: says(1) });
      const [request] = await fetchRequests(second);
      await approveOne(second, request);
      // MED-006: the answer is that of the person who gave it, and not of the approver.
      expect(await fetchInfraction(kit.admin, id)).toMatchObject({
        analysis_status: "accepted",
        analysis_description: "Foi mesmo uma fraude.",
        user: { name: "Rui Tavares" },
        approval_request: null,
      });
      await kit.drainJobs();
    });

    it("no longer shows the request on the others after one of them was answered another way", async () => {
      const [first, other] = [await receiveInfraction(kit, 60_00), await receiveInfraction(kit, 50_00)];
      await agree(kit.operator, [first.id, other.id]);
      await defend(kit, kit.operator.token, other.id, {
        analysis: "rejected",
        analysis_description: "O produto foi entregue.",
      });
      expect([await waiting(first.id), await waiting(other.id)]).toEqual([null, null]);
    });
  });

  it("PAY-035 names in the books the requester of an approved refund", async () => {
    const id = await received(100_00);
    await refund(id, 60_00, kit.operator);
    const [request] = await fetchRequests(second);
    await approveOne(second, request);
    expect(await refunded()).toEqual([aurora.users[1]?.id]);
    await kit.drainJobs();
  });

  it("sends nothing for an answer that defends the sale, and needs no approver for it", async () => {
    const { id } = await receiveInfraction(kit, 60_00);
    const answer = await defend(kit, kit.operator.token, id, {
      analysis: "rejected",
      analysis_description: "O produto foi entregue.",
    });
    expect(answer.body).toMatchObject({ analysis_status: "rejected" });
    expect(answer.body.awaits_approval).toBeUndefined();
    expect(await fetchRequests(second)).toEqual([]);
  });
});
