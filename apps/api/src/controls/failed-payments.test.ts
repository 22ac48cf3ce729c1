/** Actions of operators on failed payments, and the settings that forbid them. */
import { randomUUID } from "node:crypto";
import { readCompanySettings } from "@malote/contracts/company";
import { changeTransfer, refundTransfer } from "@malote/contracts/transfers";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  type ControlsKit,
  fetchRequests,
  openControls,
  withdraw,
} from "../testing/controls-kit.ts";
import { batch, closing, draft, fetchBalance, fetchStatuses, pix } from "../testing/payments-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
  await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

describe("operators and failed payments", () => {
  const failing = pix(500_00, {
    destination_bank_account: {
      name: "Fornecedor de Antes",
      pix_key_type: "EMAIL",
      pix_key: "chave.pix15@exemplo.com.br",
    },
  });
  async function failed(): Promise<{ id: string; tid: string }> {
    const { id } = await draft(kit.operator, [failing]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    return { id, tid: (await batch(kit.admin, id)).transfers[0].id };
  }
  const correct = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(changeTransfer, { params: { id, tid }, body: pix(500_00) });
  const giveBack = (by: Person, { id, tid }: { id: string; tid: string }) =>
    by.call(refundTransfer, { params: { id, tid } }, { "idempotency-key": randomUUID() });

  it("lets an operator correct, and requires an admin's approval before sending", async () => {
    const payment = await failed();
    expect((await correct(kit.operator, payment)).body).toMatchObject({
      status: "FAILED",
      awaits_approval: true,
    });
    const [request] = await fetchRequests(kit.operator);
    expect((await approveOne(kit.operator, request)).body.code).toBe("forbidden");
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatuses(kit.admin, payment.id)).toEqual(["FINISHED"]);
  });

  it("does not show an approver the former receiver's name beside a key without a name", async () => {
    const { id, tid } = await failed();
    const key = { pix_key_type: "EMAIL", pix_key: "outra.pessoa@exemplo.com.br" } as const;
    const body = pix(500_00, { destination_bank_account: key });
    await kit.operator.call(changeTransfer, { params: { id, tid }, body });
    const [request] = await fetchRequests(kit.admin);
    expect(request.facts).toContainEqual({ label: "Recebedor", value: "Não informado" });
    expect(request.facts).toContainEqual({ label: "Agora", value: expect.stringContaining(key.pix_key) });
  });

  it("executes a correction by a dynamic Pix code with the charge that was read at the request", async () => {
    const { id, tid } = await failed();
    const emv = writeDynamicBrCode({
      location: "pix.aurora.invalid/qr/v2/cob/50000/202608132359/01",
      merchantName: "Loja Exemplo Ltda",
      merchantCity: "CURITIBA",
    });
    const body = { value: 500_00, emv, destination_bank_account: {} };
    const requested = await kit.operator.call(changeTransfer, { params: { id, tid }, body });
    expect(requested.body).toMatchObject({ status: "FAILED", awaits_approval: true });
    const [request] = await fetchRequests(kit.admin);
    expect((await approveOne(kit.admin, request)).body.status).toBe("approved");
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    expect((await batch(kit.admin, id)).transfers[0]).toMatchObject({ status: "FINISHED", emv });
  });

  it("lets an operator return the money to the balance", async () => {
    const payment = await failed();
    expect((await giveBack(kit.operator, payment)).body.status).toBe("RETURNED");
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("refuses both if the company's controls do, with a sentence on whom to ask", async () => {
    await kit.inForce({ operatorsMayCorrect: false, operatorsMayGiveBack: false });
    const payment = await failed();
    expect(await correct(kit.operator, payment)).toMatchObject({
      status: 403,
      body: { code: "correction_admins_only" },
    });
    expect(await giveBack(kit.operator, payment)).toMatchObject({
      status: 403,
      body: { code: "refund_admins_only" },
    });
    expect((await giveBack(kit.analyst, payment)).status).toBe(403);
    expect((await giveBack(kit.admin, payment)).status).toBe(200);
  });

  it("TRF-045 allows an admin to correct what operators may not", async () => {
    await kit.inForce({ operatorsMayCorrect: false, operatorsMayGiveBack: false });
    expect((await correct(kit.admin, await failed())).status).toBe(200);
  });

  it("TRF-045 allows only returning where the company forbids correcting alone", async () => {
    await kit.inForce({ operatorsMayCorrect: false });
    const payment = await failed();
    expect((await correct(kit.operator, payment)).body.code).toBe("correction_admins_only");
    expect((await giveBack(kit.operator, payment)).status).toBe(200);
  });

  it("TRF-046 allows only correcting where the company forbids returning alone", async () => {
    await kit.inForce({ operatorsMayGiveBack: false });
    const payment = await failed();
    expect((await giveBack(kit.operator, payment)).body.code).toBe("refund_admins_only");
    expect((await correct(kit.operator, payment)).body).toMatchObject({ awaits_approval: true });
  });

  it("refuses a withdrawal by an operator if the company's controls do", async () => {
    await kit.inForce({ operatorsMayWithdraw: false });
    expect((await withdraw(kit.operator, 1_00)).body.code).toBe("forbidden");
    expect((await kit.operator.call(readCompanySettings)).body.blockWithdrawForOperator).toBe(true);
  });
});
