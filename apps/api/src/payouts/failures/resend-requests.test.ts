/** A resend by an operator waits as one request for an admin. */
import { approveRequest, listApprovalRequests, rejectRequest } from "@malote/contracts/controls";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import {
  failedBatches,
  fetchFailures,
  fetchRequests,
  idempotencyKey,
  pixTo,
  resendChosen,
  returnChosen,
} from "../../testing/failures-kit.ts";
import { batch, fetchStatuses, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { failedBatch } = failedBatches(() => kit);

describe("resending", () => {
  it("waits as one request for an admin's approval when an operator requests it, names its payments, and is not requested twice", async () => {
    const { id, ids } = await failedBatch();
    kit.mails.splice(0);
    const requested = await resendChosen(kit.operator, id, ids.slice(0, 2));
    expect(requested.body).toEqual({
      data: ids.slice(0, 2).map((one) => ({ id: one, outcome: "waits_for_approval", reason: null })),
      value: 30_00,
    });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
    await kit.drainJobs();
    expect(kit.mails.map(({ to: address }) => address)).toEqual(["helena@aurora.example"]);
    const [request, ...more] = await fetchRequests(kit.admin);
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      kind: "CORRECTION",
      title: "Nova tentativa de 2 pagamentos",
      amount: 30_00,
      may_approve: true,
    });
    expect(kit.mails[0]?.subject).toBe("Nova tentativa de 2 pagamentos aguarda sua aprovação");
    expect(request.facts).toContainEqual({ label: "Tentar de novo", value: "2 com falha, como estão" });
    // The request shows the destination and the document before the approval.
    expect(request.facts).toContainEqual({
      label: "Ana Lima",
      value: "R$ 20,00 · Pix ana@exemplo.com.br · Sem documento · Conta indisponível.",
    });
    const listed = await fetchFailures(kit.operator, id);
    expect(listed.data.map(({ waits_for_approval }) => waits_for_approval)).toEqual([true, true, false]);

    const again = await resendChosen(kit.operator, id, [ids[1], ids[2]]);
    expect(again.body.data).toEqual([
      { id: ids[1], outcome: "refused", reason: expect.stringContaining("aguardando aprovação") },
      { id: ids[2], outcome: "waits_for_approval", reason: null },
    ]);
  });

  it("resends by an approval the payments that are still failed, and nothing if all were resolved", async () => {
    const { id, ids } = await failedBatch();
    await resendChosen(kit.operator, id, ids.slice(0, 3));
    const [{ id: request, digest }] = await fetchRequests(kit.admin);
    // The admin returns both of Ana's payments meanwhile.
    await returnChosen(kit.admin, id, [ids[0]]);
    const approved = await kit.admin.call(
      approveRequest,
      { params: { id: request }, body: { digest } },
      idempotencyKey(),
    );
    expect(approved.body).toMatchObject({ status: "approved" });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["RETURNED", "RETURNED", "FINISHED", "FINISHED"]);

    const other = await failedBatch();
    await resendChosen(kit.operator, other.id, other.ids.slice(0, 1));
    const waiting = (await fetchRequests(kit.admin)).find(
      ({ status }: { status: string }) => status === "pending",
    );
    await returnChosen(kit.admin, other.id, [other.ids[0]]);
    const late = await kit.admin.call(
      approveRequest,
      { params: { id: waiting.id }, body: { digest: waiting.digest } },
      idempotencyKey(),
    );
    expect(late.body.code).toBe("approval_request_obsolete");
  });

  it("refuses to resend a payment in an open request in any other way, and the request stays executable", async () => {
    const { id, ids } = await failedBatch();
    const correctAlone = (by: Person, tid: string | undefined, name: string) =>
      by.call(changeTransfer, {
        params: { id, tid: tid as string },
        body: pixTo(tid === ids[0] ? 10_00 : 30_00, name),
      });
    const sentence =
      "Este pagamento já está em um pedido aguardando aprovação: acompanhe, decida ou cancele o pedido em Aprovações.";
    await resendChosen(kit.operator, id, [ids[1], ids[2]]);
    for (const by of [kit.operator, kit.admin]) {
      const refused = await correctAlone(by, ids[2], "Outra Pessoa");
      expect([refused.status, refused.body.code]).toEqual([409, "payment_awaits_approval"]);
      expect(refused.body.message).toBe(sentence);
    }
    // The order is reversed here.
    expect((await correctAlone(kit.operator, ids[0], "Dora Melo")).body.awaits_approval).toBe(true);
    expect((await correctAlone(kit.admin, ids[0], "Dora Melo")).body.code).toBe("payment_awaits_approval");
    for (const by of [kit.operator, kit.admin])
      expect((await resendChosen(by, id, [ids[0]])).body.data).toEqual([
        { id: ids[0], outcome: "refused", reason: sentence },
      ]);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);

    const open = await fetchRequests(kit.admin);
    expect(open).toHaveLength(2);
    const { id: request, digest } = open.find(({ amount }: { amount: number }) => amount === 50_00);
    await kit.admin.call(approveRequest, { params: { id: request }, body: { digest } }, idempotencyKey());
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    const [, , sent] = (await batch(kit.admin, id)).transfers;
    expect(sent).toMatchObject({
      status: "FINISHED",
      destination_bank_account: { pix_key: "bento@exemplo.com.br" },
    });
  });

  it("ends a request when none of its payments is failed any longer, and frees its place among twenty", async () => {
    const { id, ids } = await failedBatch(
      Array.from({ length: 23 }, (_, index) => pixTo(10_00 + index, `Pessoa${index} Lima`)),
    );
    for (const one of ids.slice(0, 20))
      expect((await resendChosen(kit.operator, id, [one])).body.data[0].outcome).toBe("waits_for_approval");
    const full = await resendChosen(kit.operator, id, [ids[20]]);
    expect([full.status, full.body.code]).toEqual([409, "approval_requests_too_many"]);

    await returnChosen(kit.admin, id, ids.slice(0, 2));
    const read = await kit.admin.call(listApprovalRequests);
    expect(read.body.open_count).toBe(18);
    const over = read.body.data.filter(({ status }) => status === "obsolete");
    expect(over).toHaveLength(2);
    const [{ id: request, digest }] = over;
    const decided = { params: { id: request }, body: { digest } };
    expect((await kit.admin.call(approveRequest, decided, idempotencyKey())).body.code).toBe(
      "approval_request_obsolete",
    );
    const rejected = await kit.admin.call(rejectRequest, { params: { id: request }, body: {} });
    expect(rejected.body.message).toContain("o pedido foi encerrado");

    // Requests of the last hour count nevertheless, because people were e-mailed about them.
    expect((await resendChosen(kit.operator, id, [ids[20]])).body.code).toBe("approval_requests_too_many");
    await kit.pass({ hours: 1 });
    for (const one of ids.slice(20, 22))
      expect((await resendChosen(kit.operator, id, [one])).body.data[0].outcome).toBe("waits_for_approval");
    expect((await resendChosen(kit.operator, id, [ids[0]])).body.data[0].outcome).toBe("refused");
    const after = (await fetchRequests(kit.admin)).find((one: { id: string }) => one.id === request);
    expect(after).toMatchObject({ status: "obsolete", decided_by: null, approvals: [] });
    expect(Date.parse(after.decided_at)).toBe(kit.clock.now().getTime());
    expect((await kit.admin.call(listApprovalRequests)).body.open_count).toBe(20);
  });
});
