/** The price of a boleto is what its register asks for on the day of payment, from a sheet as from the form. */
import { randomUUID } from "node:crypto";
import { enableBatchEdit, readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batch-life";
import { readBatchSummary, validateBatch } from "@malote/contracts/batches";
import { addBoleto, changeBoleto } from "@malote/contracts/boletos";
import { readBatchChecks } from "@malote/contracts/checks";
import { readSheet } from "@malote/contracts/import";
import { lookUpBoleto } from "@malote/contracts/lookups";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boletosToTry } from "../../adapters/sandbox/network/boleto-register.ts";
import type { Person } from "../../testing/app.ts";
import {
  barcodeOf,
  boletoDraft,
  boletoOf,
  fetchBoletoStatuses,
  fetchBoletos,
} from "../../testing/boletos.ts";
import { csvOf, multipart, multipartType } from "../../testing/import-kit.ts";
import { batch, closing, fetchBalance, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";
import { lookUpOldDrafts } from "../batches/look-up-draft.ts";
import { modelHeadings } from "../import/sheet/model-sheets.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 12 August 2026, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

/**
 * R$ 1.000,00 due on 1 September, with R$ 50,00 off until 27 August: the simulator's 'Tem desconto até 5 dias antes do
 * vencimento'.
 */
const line = () =>
  boletosToTry(kit.clock.now()).find(({ outcome }) => outcome.startsWith("Tem desconto"))?.value ?? "";
const discounted = () => line().replace(/\D/g, "");

async function imported(rows: readonly string[][]): Promise<string> {
  const sent = await kit.send(
    "POST",
    "/api/payments/batch/billet/sheet",
    multipart([{ name: "file", fileName: "Contas.csv", content: csvOf([modelHeadings("billet"), ...rows]) }]),
    { token: kit.operator.token, headers: multipartType },
  );
  await kit.drainJobs();
  return (await kit.operator.call(readSheet, { params: { id: sent.body.id } })).body.batch_id;
}
const fromForm = async (input: { payment_date?: string } = {}) => {
  const { id } = await boletoDraft(kit.operator, []);
  const body = { value: 1_000_00, barcode: discounted(), description: "Luz", ...input };
  const added = await kit.operator.call(addBoleto, { params: { id }, body });
  expect(added.body).toMatchObject({ value: 950_00, errors: [] });
  return { id, billetId: added.body.id as string };
};

async function ticks(by: Person, id: string) {
  const { body } = await by.call(readBatchChecks, { params: { id } });
  const confirmations = body.missing.map(({ kind, fingerprint }) => ({
    kind,
    fingerprint,
  }));
  return { confirmations };
}
const sendOn = async (id: string) =>
  kit.operator.call(sendBatchToApproval, { params: { id }, body: await ticks(kit.operator, id) });
/** Approves as the screen does, with the revision and the content that it showed. */
async function approve(id: string) {
  const [{ revision }, approvals] = await Promise.all([
    batch(kit.admin, id),
    kit.admin.call(readBatchApprovals, { params: { id } }),
  ]);
  return closing(kit.admin, id, randomUUID(), {
    revision,
    digest: approvals.body.digest,
    ...(await ticks(kit.admin, id)),
  });
}
const fetchErrors = async (id: string) =>
  (await kit.admin.call(validateBatch, { params: { id } })).body.errors_count;

describe("a boleto with a discount", () => {
  it("from a sheet is drafted, funded, approved and paid at its register's price of the day", async () => {
    await kit.deposit(3_000_00);
    const before = await fetchBalance(kit.admin);
    const id = await imported([
      [line(), "1.000,00", "20/08/2026", "Luz 1", ""],
      [formatBoletoLine(barcodeOf(200_00, "2026-09-10")), "", "", "Aluguel", ""],
    ]);
    expect(await batch(kit.admin, id)).toMatchObject({ value: 1_150_00, errors_count: 0 });
    const [first, second] = await fetchBoletos(kit.admin, id);
    expect(first).toMatchObject({
      value: 950_00,
      errors: [],
      register: { value: 1_000_00, on_day: { discount: 50_00, total: 950_00, until: "2026-08-27" } },
    });
    expect(second?.value).toBe(200_00);
    expect((await kit.admin.call(readBatchChecks, { params: { id } })).body.summary).toMatchObject({
      value: 1_150_00,
      largest: [{ value: 950_00 }, { value: 200_00 }],
    });
    expect((await kit.admin.call(readBatchSummary, { params: { id } })).body.by_method).toMatchObject([
      { value: 1_150_00 },
    ]);

    expect((await sendOn(id)).body.status).toBe("WAITING_APPROVAL");
    expect((await approve(id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.passUntil("2026-08-20T15:00:00Z");
    await kit.pass({ seconds: 5 });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID", "FINISHED"]);
    expect(before - (await fetchBalance(kit.admin))).toBe(1_150_00);
  });

  it("from the form keeps its price to the end, and another day has its own", async () => {
    await kit.deposit(3_000_00);
    const before = await fetchBalance(kit.admin);
    const { id, billetId } = await fromForm();
    const input = { id: billetId, value: 1_000_00, barcode: discounted(), description: "Luz" };
    const on = (payment_date: string) =>
      kit.operator.call(changeBoleto, { params: { id }, body: { ...input, payment_date } });
    expect((await on("2026-08-28")).body).toMatchObject({ value: 1_000_00, errors: [] });
    expect((await batch(kit.admin, id)).value).toBe(1_000_00);
    expect((await on("2026-08-27")).body).toMatchObject({ value: 950_00, errors: [] });
    expect((await sendOn(id)).status).toBe(200);
    expect((await approve(id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.passUntil("2026-08-27T15:00:00Z");
    await kit.pass({ seconds: 5 });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
    expect(before - (await fetchBalance(kit.admin))).toBe(950_00);
  });

  it("is priced after another mistake of its row is corrected", async () => {
    const id = await imported([[line(), "1.000,00", "20/08/2026", "", ""]]);
    const [row] = await fetchBoletos(kit.operator, id);
    const body = {
      id: row?.id ?? "",
      value: row?.value ?? null,
      barcode: row?.barcode ?? "",
      description: "Luz",
      payment_date: "2026-08-20",
    };
    expect((await kit.operator.call(changeBoleto, { params: { id }, body })).body).toMatchObject({
      value: 950_00,
      errors: [],
    });
  });

  it("is refused at the old price after its last day in a draft, and gets its new price automatically", async () => {
    const { id } = await fromForm();
    kit.clock.advance({ days: 16 });
    const [row] = await fetchBoletos(kit.admin, id);
    expect(row?.errors).toEqual([
      { code: "billet_amount_changed", field: "value", data: { total: 1_000_00 } },
    ]);
    expect(await fetchErrors(id)).toBe(1);
    expect((await closing(kit.admin, id)).status).toBe(422);

    await lookUpOldDrafts(kit.services);
    const [after] = await fetchBoletos(kit.admin, id);
    expect(after).toMatchObject({ value: 1_000_00, errors: [] });
    const { value, revision } = await batch(kit.admin, id);
    expect([value, await fetchErrors(id)]).toEqual([1_000_00, 0]);
    await lookUpOldDrafts(kit.services);
    expect((await batch(kit.admin, id)).revision).toBe(revision);
  });
});

describe("the approved price of a boleto", () => {
  it("is not approved after the discount's last day: the draft has a new price, and needs a new approval", async () => {
    await kit.deposit(3_000_00);
    const { id } = await fromForm();
    expect((await sendOn(id)).status).toBe(200);
    kit.clock.advance({ days: 16 });
    expect((await approve(id)).status).toBe(422);
    expect((await kit.admin.call(enableBatchEdit, { params: { id } })).status).toBe(200);
    await kit.drainJobs();
    expect(await batch(kit.admin, id)).toMatchObject({ status: "DRAFT", value: 1_000_00 });
    expect((await sendOn(id)).status).toBe(200);
    expect((await approve(id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
  });

  it("becomes a draft with its batch at the new price if the wait for money outlasts the discount", async () => {
    const { id } = await fromForm();
    expect((await closing(kit.admin, id, randomUUID(), await ticks(kit.admin, id))).body.is_batch_paid).toBe(
      false,
    );
    kit.clock.advance({ days: 16 });
    await kit.deposit(3_000_00);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "DRAFT",
      value: 1_000_00,
      reprove_reason: expect.stringContaining("o valor de um boleto mudou"),
    });
    expect(await fetchBalance(kit.admin)).toBe(3_000_00);
  });

  it("is not approved after a register's answer changed the price while the batch waits for approval", async () => {
    await kit.deposit(3_000_00);
    const { boletoRegister } = kit.services;
    kit.services.boletoRegister = { find: () => Promise.reject(new Error("down")) };
    const { id } = await boletoDraft(kit.operator, [boletoOf(1_000_00, { barcode: discounted() })]);
    await kit.drainJobs();
    expect((await sendOn(id)).status).toBe(200);
    kit.services.boletoRegister = boletoRegister;
    await kit.operator.call(lookUpBoleto, { body: { barcode: discounted() } });
    expect((await approve(id)).status).toBe(422);
    expect((await kit.admin.call(enableBatchEdit, { params: { id } })).status).toBe(200);
    await kit.drainJobs();
    expect(await batch(kit.admin, id)).toMatchObject({ value: 950_00, errors_count: 0 });
  });

  it("follows a register's answer to a form, also if the form is left without saving", async () => {
    const { boletoRegister } = kit.services;
    kit.services.boletoRegister = { find: () => Promise.reject(new Error("down")) };
    const { id } = await boletoDraft(kit.operator, [boletoOf(1_000_00, { barcode: discounted() })]);
    await kit.drainJobs();
    expect((await batch(kit.admin, id)).value).toBe(1_000_00);
    kit.services.boletoRegister = boletoRegister;
    await kit.operator.call(lookUpBoleto, { body: { barcode: discounted() } });
    await kit.drainJobs();
    expect((await batch(kit.admin, id)).value).toBe(950_00);
  });

  it("is refused by the network if the register never answered, rather than paid at another amount", async () => {
    await kit.deposit(3_000_00);
    kit.services.boletoRegister = { find: () => Promise.reject(new Error("down")) };
    const { id } = await boletoDraft(kit.operator, [boletoOf(1_000_00, { barcode: discounted() })]);
    await kit.drainJobs();
    expect((await sendOn(id)).status).toBe(200);
    expect((await approve(id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    await kit.pass({ seconds: 5 });
    const [row] = await fetchBoletos(kit.admin, id);
    expect(row).toMatchObject({
      status: "FAILED",
      status_description: "Valor maior que o do registro do boleto.",
    });
  });
});
