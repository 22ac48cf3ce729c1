/** Values typed over a sheet, and the sheet's own total, as findings for those who close and approve. */
import { randomUUID } from "node:crypto";
import { fixIssueGroup, listIssueGroups } from "@malote/contracts/batch-issues";
import { createBatch, saveBatch } from "@malote/contracts/batches";
import { type BoletoInput, changeBoleto } from "@malote/contracts/boletos";
import { addTransfer, changeTransfer, removeTransfer, type Transfer } from "@malote/contracts/transfers";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { barcodeOf, fetchBoletos } from "../../testing/boletos.ts";
import { checkCalls, confirm, send } from "../../testing/checks-kit.ts";
import {
  csvOf,
  draftOfFile,
  fetchTransfers,
  importFile,
  pixHeadings,
  pixRow,
} from "../../testing/import-kit.ts";
import { closing, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { read, alerts, ticks } = checkCalls(() => kit);
const plain = (text: string | undefined) => text?.replaceAll("\u00a0", " ");

const bia = pixRow({ 0: "Bia Reis", 3: "bia@exemplo.com.br", 4: "20,00" });
const sheetOf = (rows: readonly string[][], total?: string) =>
  csvOf([pixHeadings, ...rows, ...(total ? [["TOTAL", "", "", "", total, "", "", ""]] : [])]);

/** Saves as the form does: everything that it shows, with the changes. */
async function type(by: Person, { id, batch_id, ...shown }: Transfer, changes: Partial<Transfer>) {
  const { destination_bank_account: to, ...rest } = { ...shown, ...changes };
  const { value, integration_id, pix_key_validation, pix_description, payment_date } = rest;
  const { name, cpf_cnpj, email, bank_id, agency, agency_digit, account, account_digit, account_type } = to;
  const { pix_key, pix_key_type } = to;
  const answer = await by.call(changeTransfer, {
    params: { id: batch_id, tid: id },
    body: {
      ...{ value, integration_id, pix_key_validation, pix_description, payment_date },
      destination_bank_account: {
        ...{ name, cpf_cnpj, email, bank_id, agency, agency_digit, account, account_digit, account_type },
        ...{ pix_key, pix_key_type },
      },
    },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

it("requires a confirmation of a value that a person typed over the sheet's, with the old value and the person", async () => {
  const { batchId, transfers } = await draftOfFile(kit, kit.operator, sheetOf([pixRow(), bia]));
  const [ana, other] = transfers as [Transfer, Transfer];
  await type(kit.operator, other, {});
  expect(await alerts(batchId)).toEqual([]);

  const to = ana.destination_bank_account;
  const another = { ...to, pix_key: "outra@exemplo.com.br" };
  await type(kit.operator, ana, { value: 99_00, destination_bank_account: another });
  await type(kit.admin, ana, { value: 100_00, destination_bank_account: another, pix_description: "NF 7" });
  const [found] = (await read(batchId)).data;
  expect(found).toMatchObject({ kind: "changed_data", severity: "tick", count: 1, value: 100_00 });
  expect(plain(found?.findings[0]?.text)).toBe(
    "Alterado por Rui Tavares, chave Pix: ana@exemplo.com.br → outra@exemplo.com.br" +
      " · Alterado por Helena Prado, valor: R$ 10,50 → R$ 100,00",
  );
  // A day, a description or an e-mail is shown only beside the payment.
  const [row] = await fetchTransfers(kit.operator, batchId);
  expect(row?.data_marks.map(({ field, origin }) => [field, origin])).toContainEqual([
    "pix_description",
    "changed",
  ]);
  await type(kit.admin, ana, { pix_description: "NF 7" });
  expect(await alerts(batchId)).toEqual([]);
});

it("shows in the request for an approval the changed values, and who confirmed them", async () => {
  const { batchId, transfers } = await draftOfFile(kit, kit.operator, sheetOf([pixRow(), bia], "30,50"));
  await type(kit.operator, transfers[0] as Transfer, { value: 15_00 });
  expect(await alerts(batchId)).toEqual([
    ["changed_data", 1],
    ["sheet_total", 1],
  ]);
  expect((await send(kit.operator, batchId)).body.code).toBe("checks_not_confirmed");
  await confirm(kit.operator, batchId, await ticks(batchId));
  expect((await send(kit.operator, batchId)).status).toBe(200);
  await kit.drainJobs();
  const texts = kit.mails.map(({ text }) => plain(text) ?? "");
  expect(texts.join("\n")).toContain("1 pagamento com dado da planilha alterado (conferido por Rui Tavares)");
  expect(texts.join("\n")).toContain(
    "O total da planilha não é o deste lote. A linha 4 da planilha diz R$ 30,50; os pagamentos deste lote somam R$ 35,00 (conferido por Rui Tavares)",
  );
  // The approver still sees them as alerts.
  expect((await read(batchId)).summary.alerts).toBe(2);
});

it("requires a confirmation of payments that were added to a sheet's, also in place of one", async () => {
  const { batchId, transfers } = await draftOfFile(kit, kit.operator, sheetOf([pixRow(), bia]));
  await kit.operator.call(removeTransfer, { params: { id: batchId, tid: transfers[0]?.id ?? "" } });
  const to = { ...transfers[0]?.destination_bank_account, pix_key: "outra@exemplo.com.br" };
  const { name, pix_key, pix_key_type } = to;
  const added = { value: 10_50, destination_bank_account: { name, pix_key, pix_key_type } };
  const answer = await kit.operator.call(addTransfer, { params: { id: batchId }, body: added });
  expect(answer.status).toBe(200);
  const [found] = (await read(batchId)).data.filter(({ severity }) => severity === "tick");
  expect(found).toMatchObject({
    ...{ kind: "not_in_sheet", title: "1 pagamento que não está na planilha", count: 1, value: 10_50 },
    findings: [{ text: "Acrescentado ao lote depois de importar a planilha" }],
  });
  expect((await send(kit.operator, batchId)).body.code).toBe("checks_not_confirmed");
  await confirm(kit.operator, batchId, await ticks(batchId));
  expect((await send(kit.operator, batchId)).status).toBe(200);
});

it("finds the repair of an unreadable cell, but no value without a cell", async () => {
  const { batchId, transfers } = await draftOfFile(
    kit,
    kit.operator,
    sheetOf([pixRow({ 4: "a combinar" }), pixRow({ 1: "52998224726" })]),
  );
  await type(kit.operator, transfers[0] as Transfer, { value: 15_00 });
  const [found] = (await read(batchId)).data.filter(({ kind }) => kind === "changed_data");
  expect(plain(found?.findings[0]?.text)).toBe("Alterado por Rui Tavares, valor: a combinar → R$ 15,00");
  // One answer for many payments is a correction, even where a person typed before.
  const [group] = (await kit.operator.call(listIssueGroups, { params: { id: batchId } })).body.data;
  const { issue, given, receiver } = group;
  const body = { code: issue.code, field: issue.field, given, receiver, set: { cpf_cnpj: "52998224725" } };
  expect((await kit.operator.call(fixIssueGroup, { params: { id: batchId }, body })).body.fixed).toBe(1);
  expect(await alerts(batchId)).toContainEqual(["suggested_data", 1]);

  const typed = await draft(kit.operator, [pix(10_00)]);
  const [own] = await fetchTransfers(kit.operator, typed.id);
  await type(kit.operator, own as Transfer, { value: 77_00 });
  expect(await alerts(typed.id)).toEqual([]);
});

it("requires a confirmation of a sheet's total while the batch adds up to another", async () => {
  await kit.deposit(1_000_00);
  const { batchId, transfers } = await draftOfFile(kit, kit.admin, sheetOf([pixRow(), bia], "30,00"));
  const [found] = (await read(batchId)).data;
  expect(found).toMatchObject({ kind: "sheet_total", severity: "tick", value: 50, findings: [], next: null });
  expect(plain(found?.title)).toBe(
    "O total da planilha não é o deste lote. A linha 4 da planilha diz R$ 30,00; os pagamentos deste lote somam R$ 30,50",
  );
  expect((await closing(kit.admin, batchId)).body).toMatchObject({
    code: "checks_not_confirmed",
    data: { checks: [{ kind: "sheet_total", value: 50 }] },
  });
  const before = await ticks(batchId);
  expect((await confirm(kit.admin, batchId, before)).status).toBe(200);
  expect(await ticks(batchId)).toEqual([]);
  // Another difference is another finding; one payment fewer may cause it.
  await kit.admin.call(removeTransfer, { params: { id: batchId, tid: transfers[1]?.id ?? "" } });
  expect(await ticks(batchId)).not.toEqual(before);
  expect((await closing(kit.admin, batchId)).body.code).toBe("checks_not_confirmed");
  const confirmations = await ticks(batchId);
  expect((await closing(kit.admin, batchId, randomUUID(), { confirmations })).status).toBe(200);

  const right = await draftOfFile(kit, kit.admin, sheetOf([bia, bia], "40,00"), "certa.csv");
  expect((await read(right.batchId)).data.map(({ kind }) => kind)).not.toContain("sheet_total");
  const none = await kit.admin.call(createBatch, { body: { name: "Sem planilha", transfers: [pix(1_00)] } });
  expect(await alerts(none.body.id)).toEqual([]);
});

it("requires a new confirmation of an added payment whose name changed later", async () => {
  const { batchId } = await draftOfFile(kit, kit.operator, sheetOf([pixRow(), bia]));
  const added = await kit.operator.call(addTransfer, { params: { id: batchId }, body: pix(10_50) });
  await confirm(kit.admin, batchId, await ticks(batchId));
  expect(await ticks(batchId)).toEqual([]);
  const to = { ...added.body.destination_bank_account, name: "Outro Nome" };
  await type(kit.operator, added.body, { destination_bank_account: to });
  expect(await ticks(batchId)).toMatchObject([{ kind: "not_in_sheet" }]);
});

describe("a sheet of boletos", () => {
  const [light, water] = [barcodeOf(20_00), barcodeOf(30_00)];
  async function drafted(rows: readonly string[][]) {
    const file = csvOf([["Código de barras", "Valor", "Descrição", "Data"], ...rows]);
    const { batch_id } = await importFile(kit, kit.operator, file, "contas.csv");
    const batchId = batch_id ?? "";
    return { batchId, boletos: await fetchBoletos(kit.operator, batchId) };
  }
  const change = async (batchId: string, body: BoletoInput & { id: string }) => {
    const answer = await kit.operator.call(changeBoleto, { params: { id: batchId }, body });
    expect(answer.status).toBe(200);
  };
  const rows = [
    [light, "20,00", "Luz", ""],
    [water, "30,00", "Água", ""],
    ["TOTAL", "50,00", "", ""],
  ];

  it("requires a confirmation of another code of the same value, with both codes and the person", async () => {
    const { batchId, boletos } = await drafted(rows);
    expect(await alerts(batchId)).toEqual([]);
    const id = boletos[0]?.id ?? "";
    const other = barcodeOf(20_00);
    await change(batchId, { id, value: 20_00, barcode: other, description: "Luz" });
    // Another call saves it once more, and the code still differs from the sheet's.
    const body = {
      name: "Contas",
      billets: [{ id, value: 20_00, barcode: other, description: "Luz de agosto" }],
    };
    expect((await kit.admin.call(saveBatch, { params: { id: batchId }, body })).status).toBe(200);
    const [found] = (await read(batchId)).data;
    expect(found).toMatchObject({ kind: "changed_data", severity: "tick", count: 1, value: 20_00 });
    const [before, after] = [light, other].map(formatBoletoLine);
    expect(found?.findings[0]?.text).toBe(`Alterado por Rui Tavares, código do boleto: ${before} → ${after}`);
    const [row] = await fetchBoletos(kit.operator, batchId);
    expect(row?.data_marks).toMatchObject([{ field: "barcode", origin: "changed", before: light }]);
    expect((await send(kit.operator, batchId)).body.code).toBe("checks_not_confirmed");
    await change(batchId, { id, value: 20_00, barcode: light, description: "Luz" });
    expect(await alerts(batchId)).toEqual([]);
  });

  it("requires a confirmation of a typed value only if the code has none", async () => {
    const { batchId, boletos } = await drafted([
      [barcodeOf(null), "20,00", "Luz", ""],
      [water, "30,00", "Água", ""],
    ]);
    const [open, fixed] = boletos.map(({ id, barcode }) => ({ id, barcode: barcode ?? "" }));
    await change(batchId, { id: "", barcode: "", ...fixed, value: 900_00, description: "Água de agosto" });
    expect(await alerts(batchId)).toEqual([]);
    await change(batchId, { id: "", barcode: "", ...open, value: 900_00 });
    const [found] = (await read(batchId)).data;
    expect(plain(found?.findings[0]?.text)).toBe("Alterado por Rui Tavares, valor: R$ 20,00 → R$ 900,00");
  });
});
