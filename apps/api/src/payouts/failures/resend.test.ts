/** Several failed payments of a batch are resent at a time, each by the rules of a single one. */
import { changeBoleto } from "@malote/contracts/boletos";
import { rejectRequest } from "@malote/contracts/controls";
import { changeLimit } from "@malote/contracts/limits";
import { changeRails } from "@malote/contracts/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../../testing/answer.ts";
import type { Person } from "../../testing/app.ts";
import {
  boletoDraft,
  boletoOf,
  fetchBoletoStatuses,
  fetchBoletos,
  magicBarcode,
} from "../../testing/boletos.ts";
import {
  failedBatches,
  fetchFailures,
  fetchRequests,
  resendChosen,
  resendConfirmed,
  returnChosen,
} from "../../testing/failures-kit.ts";
import {
  batch,
  closing,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { failedBatch, entries } = failedBatches(() => kit);

describe("resending", () => {
  it("sends the chosen ones unchanged as new orders with the reserved money, as one entry", async () => {
    const { id, ids } = await failedBatch();
    const before = (await batch(kit.admin, id)).transfers;
    const { body } = await resendChosen(kit.admin, id, [ids[0], ids[2]]);
    expect(body).toEqual({
      data: [ids[0], ids[2]].map((one) => ({ id: one, outcome: "sent", reason: null })),
      value: 40_00,
    });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FAILED", "FINISHED", "FINISHED"]);
    const after = (await batch(kit.admin, id)).transfers;
    expect(after[0].end_to_end_id).not.toBe(before[0].end_to_end_id);
    expect(after[0].destination_bank_account.pix_key).toBe("ana@exemplo.com.br");
    expect(await batch(kit.admin, id)).toMatchObject({ paid_count: 3, failed_count: 1, status: "RECEIVED" });
    expect(await fetchBalance(kit.admin)).toBe(0);
    expect(await entries("payments_retried")).toEqual([{ payments: [ids[0], ids[2]], value: 40_00 }]);
  });

  it("refuses the payment that exceeds a limit, and sends the others", async () => {
    const { id, ids } = await failedBatch();
    const body = { period: "TRANSACTION", payment_method: "PIX", value: 25_00 } as const;
    expect((await kit.admin.call(changeLimit, { body })).status).toBe(200);
    expect((await fetchFailures(kit.admin, id)).data.map(({ retry_problem }) => retry_problem)).toEqual([
      null,
      null,
      "O valor máximo é R$ 25,00",
    ]);
    const sent = await resendChosen(kit.admin, id, ids.slice(0, 3));
    expect(sent.body.data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      "refused",
      "sent",
      "sent",
    ]);
    expect(sent.body.value).toBe(30_00);
    expect((await batch(kit.admin, id)).failed_count).toBe(1);
  });

  it("refuses payments that exceed the sum of the day, and none before them", async () => {
    const { id, ids } = await failedBatch();
    // Three of them keep their share of the limit, because they still count, and the fourth arrived.
    const body = { period: "DAILY", payment_method: "PIX", value: 70_00 } as const;
    expect((await kit.admin.call(changeLimit, { body })).status).toBe(200);
    const { body: sent } = await resendChosen(kit.admin, id, ids.slice(0, 3));
    const refusals = sent.data.filter(({ outcome }: { outcome: string }) => outcome === "refused");
    expect(refusals.length).toBeGreaterThan(0);
    for (const { reason } of refusals) expect(reason).toMatch(/limite/i);
    expect(await kit.faults()).toEqual([]);
  });

  it("pays a code once when two failed payments of it are resent together", async () => {
    await kit.deposit(100_00);
    await kit.call(changeRails, { body: { failure_percent: 100 } });
    const [first, second] = [boletoOf(10_00), boletoOf(10_00)];
    const { id, revision } = await boletoDraft(kit.admin, [first, second]);
    await closing(kit.admin, id, undefined, { revision });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const ids = (await fetchFailures(kit.admin, id)).data.map((one) => one.id);
    const other = (await fetchBoletos(kit.admin, id)).find(({ barcode }) => barcode === second.barcode);
    const correct = (confirmations: object[] = []) =>
      kit.admin.call(changeBoleto, {
        params: { id },
        body: { ...boletoOf(10_00, { barcode: first.barcode }), id: other?.id, confirmations },
      });
    const requested = await correct();
    const ticks = requested.body.data?.checks?.map(
      ({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
        kind,
        fingerprint,
      }),
    );
    expect((ticks ? await correct(ticks) : requested).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED"]);
    await kit.call(changeRails, { body: { failure_percent: 0 } });
    const { data, value } = (await resendConfirmed(kit.admin, id, ids)).body;
    expect(data.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(["refused", "sent"]);
    expect(value).toBe(10_00);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    expect((await fetchBoletoStatuses(kit.admin, id)).sort()).toEqual(["FAILED", "PAID"]);
  });

  it("resends failed boletos, but not one that is in another batch meanwhile", async () => {
    await kit.deposit(100_00);
    const bad = [11_00, 12_00].map((value) => boletoOf(value, { barcode: magicBarcode(value, "15") }));
    const { id, revision } = await boletoDraft(kit.admin, [boletoOf(10_00), ...bad]);
    await closing(kit.admin, id, undefined, { revision });
    await kit.drainJobs();
    await kit.pass({ seconds: 2 });
    const { data, ...rest } = await fetchFailures(kit.admin, id);
    expect(rest).toMatchObject({ type: "BILLET", total: { count: 2, value: 23_00 } });
    expect(data.map(({ name, reason }) => [name, reason])).toEqual([
      ["Aluguel do escritório", "Boleto não registrado."],
      ["Aluguel do escritório", "Boleto não registrado."],
    ]);
    expect(data[0]?.to).toMatch(/^3419/);
    const ids = data.map((one) => one.id);
    // A payment in an open request is not corrected alone, and one in a request of its own is not resent with others.
    const alone = (by: Person, of: number, value: number) =>
      by.call(changeBoleto, { params: { id }, body: { id: ids[of] as string, ...boletoOf(value) } });
    const refused = await resendChosen(kit.operator, id, ids.slice(0, 1));
    // Its register no longer knows the code.
    expect(errorOf(refused).data.checks).toMatchObject([{ kind: "billet_register", count: 1 }]);
    await resendConfirmed(kit.operator, id, ids.slice(0, 1));
    for (const by of [kit.operator, kit.admin])
      expect((await alone(by, 0, 11_00)).body.code).toBe("payment_awaits_approval");
    expect((await alone(kit.operator, 1, 12_00)).body.awaits_approval).toBe(true);
    const both = await resendChosen(kit.admin, id, ids);
    expect(both.body.data.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(2).fill(expect.stringContaining("já está em um pedido aguardando aprovação")),
    );
    for (const request of await fetchRequests(kit.admin))
      await kit.admin.call(rejectRequest, { params: { id: request.id }, body: {} });
    await boletoDraft(kit.admin, bad.slice(1));
    const sent = await resendConfirmed(kit.admin, id, ids);
    expect(sent.body).toEqual({
      data: [
        { id: ids[1], outcome: "refused", reason: "Este boleto já foi cadastrado." },
        { id: ids[0], outcome: "sent", reason: null },
      ],
      value: 11_00,
    });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID", "EXECUTING", "FAILED"]);
    expect((await returnChosen(kit.admin, id, [ids[1]])).body.value).toBe(12_00);
    expect((await fetchBoletos(kit.admin, id)).map(({ status }) => status)).toContain("RETURNED");
  });
});
