/** Corrections in a draft from a sheet, for many rows at a time or by the file of wrong rows. */
import { randomUUID } from "node:crypto";
import { fixIssueGroup, listIssueGroups, listIssueRows } from "@malote/contracts/batch-issues";
import { readBatch } from "@malote/contracts/batches";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkBooks } from "../../ledger/check-books.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import {
  buildImportApp,
  codes,
  csvOf,
  draftOfFile,
  fetchTransfers,
  pixHeadings,
  pixRow,
  tedHeadings,
  tedRow,
} from "../../testing/import-kit.ts";

let app: TestApp;
let helena: Person;
let ana: Person;
let marcos: Person;

beforeAll(async () => {
  app = await buildImportApp();
  [helena, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});
const batch = async (id: string) => (await helena.call(readBatch, { params: { id } })).body;

async function badRows(batchId: string, format: "xlsx" | "csv"): Promise<Buffer> {
  const answer = await app.server.inject({
    method: "GET",
    url: `/api/payments/app/batch/${batchId}/badRows?format=${format}`,
    headers: { authorization: `Bearer ${helena.token}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

describe("correcting a draft", () => {
  const groups = async (batchId: string) =>
    (await helena.call(listIssueGroups, { params: { id: batchId } })).body;
  const fix = (batchId: string, body: object, person = helena) =>
    person.call(fixIssueGroup, { params: { id: batchId }, body });
  /** The value in every `tedRow`. */
  const receiver = "12ABC34501DE35";

  it("groups equal mistakes and corrects them together", async () => {
    const rows = [
      ...Array.from({ length: 37 }, () => tedRow({ 3: "Banco da Praça" })),
      tedRow({ 3: "Outro banco" }),
      tedRow({ 1: "" }),
      tedRow(),
    ];
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, ...rows]));
    const { data, rows_count } = await groups(batchId);
    expect(rows_count).toBe(39);
    expect(
      data.map((group: { issue: { code: string }; given: string; receiver: string; count: number }) => [
        group.issue.code,
        group.given,
        group.receiver,
        group.count,
      ]),
    ).toEqual([
      ["bank_missing", "Banco da Praça", receiver, 37],
      ["bank_missing", "Outro banco", receiver, 1],
      ["tax_id_invalid", "", data[2].example.id, 1],
    ]);
    const body = {
      code: "bank_missing",
      field: "bank_id",
      given: "Banco da Praça",
      receiver,
      set: { bank_id: "60701190" },
    };
    expect((await fix(batchId, body, ana)).status).toBe(403);
    expect((await fix(batchId, body, marcos)).status).toBe(404);
    expect((await fix(batchId, body)).body).toEqual({ fixed: 37, still_wrong: 0 });
    expect(await batch(batchId)).toMatchObject({ errors_count: 2, payments_count: 40, value: 4_000_00 });
    expect((await fix(batchId, body)).body).toEqual({ fixed: 0, still_wrong: 0 });
  });

  it("stores the sheet's own text in the mark of a correction of many payments", async () => {
    const typeAt = tedHeadings.indexOf("Tipo de Conta (Corrente ou Poupança)");
    const row = () => tedRow({ [typeAt]: "Conta da loja" });
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, row(), row()]));
    const [group] = (await groups(batchId)).data;
    expect(group).toMatchObject({ issue: { field: "account_type" }, given: "Conta da loja", count: 2 });
    const { issue, given, receiver: of } = group;
    await fix(batchId, {
      code: issue.code,
      field: issue.field,
      given,
      ...(of && { receiver: of }),
      set: { account_type: "CONTA_CORRENTE" },
    });
    for (const { data_marks: marks } of await fetchTransfers(helena, batchId))
      expect(marks).toMatchObject([
        { field: "account_type", before: "Conta da loja", after: "CONTA_CORRENTE", origin: "corrected" },
      ]);
  });

  it("applies each chosen row's own proposal, and marks the proposed values", async () => {
    // Itaú's check digits are certain, so the right one is proposed for each wrong one.
    const rows = ["11111", "22222", "33333"].map((account) => tedRow({ 6: account, 7: "" }));
    const withDigits = rows.map((row, n) => row.map((text, column) => (column === 7 ? String(n) : text)));
    const { batchId, transfers } = await draftOfFile(app, helena, csvOf([tedHeadings, ...withDigits]));
    const proposals = transfers.map((transfer) => transfer.errors[0]?.suggestion?.["account_digit"]);
    const group = (await groups(batchId)).data[0];
    expect(group).toMatchObject({ issue: { code: "account_digit_invalid" }, given: null });
    const { code, field } = group.issue;
    expect(await fix(batchId, { code, field })).toMatchObject({
      status: 422,
      body: { code: "fix_needs_rows", message: "Marque os pagamentos que recebem o valor sugerido." },
    });
    const list = await helena.call(listIssueRows, { params: { id: batchId }, query: { code, field } });
    expect(list.body.count).toBe(group.count);
    const [left, ...ticked] = list.body.data.map(({ id }) => id);
    // An id outside the group changes nothing.
    const answer = await fix(batchId, { code, field, ids: [...ticked, randomUUID()] });
    expect(answer.body).toEqual({ fixed: group.count - 1, still_wrong: 0 });
    const after = await fetchTransfers(helena, batchId);
    for (const [n, proposal] of proposals.entries()) {
      if (proposal === undefined) continue;
      const isTicked = after[n]?.id !== left;
      expect(after[n]?.destination_bank_account.account_digit).toBe(isTicked ? proposal : String(n));
      expect(after[n]?.data_marks).toEqual(
        isTicked
          ? [
              {
                field: "account_digit",
                origin: "suggested",
                before: String(n),
                after: proposal,
                by: { id: expect.any(String), name: "Helena Prado" },
                at: expect.any(String),
              },
            ]
          : [],
      );
    }
  });

  it("never replaces an unreadable date by today when another field is corrected", async () => {
    const { batchId } = await draftOfFile(
      app,
      helena,
      csvOf([tedHeadings, tedRow({ 11: "32/13/2026", 3: "Banco da Praça" })]),
    );
    expect(
      (
        await fix(batchId, {
          code: "bank_missing",
          field: "bank_id",
          given: "Banco da Praça",
          receiver,
          set: { bank_id: "60701190" },
        })
      ).body,
    ).toEqual({
      fixed: 0,
      still_wrong: 1,
    });
    let [transfer] = await fetchTransfers(helena, batchId);
    expect(transfer && codes(transfer)).toEqual(["payment_date_invalid"]);
    expect((await groups(batchId)).data[0]).toMatchObject({ given: "32/13/2026" });
    await fix(batchId, {
      code: "payment_date_invalid",
      field: "payment_date",
      given: "32/13/2026",
      set: { payment_date: "amanhã" },
    });
    [transfer] = await fetchTransfers(helena, batchId);
    expect(transfer && codes(transfer)).toEqual(["payment_date_invalid"]);
    const corrected = await fix(batchId, {
      code: "payment_date_invalid",
      field: "payment_date",
      given: "32/13/2026",
      set: { payment_date: "2026-08-20" },
    });
    expect(corrected.body).toEqual({ fixed: 1, still_wrong: 0 });
    [transfer] = await fetchTransfers(helena, batchId);
    expect(transfer).toMatchObject({ payment_date: "2026-08-20", errors: [] });
  });

  it("refuses an invalid amount with a sentence", async () => {
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, tedRow({ 9: "dez" })]));
    for (const value of ["-5,00", "abc", "90.071.992.547.409,91", "1,234"]) {
      const [group] = (await groups(batchId)).data;
      const { given, receiver } = group;
      const body = { code: group.issue.code, field: "value", given, receiver, set: { value } };
      expect(await fix(batchId, body)).toMatchObject({ status: 200, body: { fixed: 0, still_wrong: 1 } });
      expect(await batch(batchId)).toMatchObject({ value: 0, errors_count: 1 });
    }
  });

  it.each(["xlsx", "csv"] as const)(
    "ruling D16: exports only the bad rows as %s, and imports them to the same payments after a correction",
    async (format) => {
      const odd = { 0: "=cmd|' /C calc'!A0 Ltda", 12: '\'-- nota; "aspas"' };
      const headings = [...tedHeadings, "Centro de custo"];
      const rows = [
        [...tedRow(), "boa"],
        [...tedRow({ ...odd, 3: "Banco da Praça", 9: "1234,5" }), "CC-1"],
        [...tedRow({ ...odd, 1: "01234567890", 3: "Banco da Praça", 11: "20/08/2026" }), "CC-2"],
      ];
      const { batchId } = await draftOfFile(app, helena, csvOf([headings, ...rows]), "folha.csv");
      const file = await badRows(batchId, format);
      const again = await draftOfFile(app, helena, file, `folha.${format}`);
      expect(again.transfers.map(codes)).toEqual([["bank_missing"], ["bank_missing"]]);
      expect(Object.keys(again.transfers[0]?.sheet_cells ?? {})).toEqual([...headings, "Motivo"]);
      expect(again.transfers[0]?.sheet_cells?.["Motivo"]).toBe("Conta bancária inválida (Informe o banco)");
      const correction = {
        code: "bank_missing",
        field: "bank_id",
        given: "Banco da Praça",
        set: { bank_id: "60701190" },
      };
      for (const id of [batchId, again.batchId])
        for (const to of [receiver, "01234567890"]) await fix(id, { ...correction, receiver: to });
      const plain = (list: Awaited<ReturnType<typeof fetchTransfers>>) =>
        list.map(
          ({
            id,
            batch_id,
            sheet_row,
            sheet_cells,
            destination_bank_account: { id: receiverId, ...to },
            ...rest
          }) => ({ ...rest, to }),
        );
      const original = (await fetchTransfers(helena, batchId)).slice(1);
      expect(plain(await fetchTransfers(helena, again.batchId))).toEqual(plain(original));
      expect(original.map((transfer) => transfer.errors)).toEqual([[], []]);
    },
  );

  it("includes in the file of bad rows later corrections, and typed payments in the columns of the sheet", async () => {
    const { batchId, transfers } = await draftOfFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 3: "sem-arroba", 4: "x" }), pixRow({ 3: "outro-sem", 5: "32/13/2026" })]),
    );
    const [first] = transfers;
    await helena.call(changeTransfer, {
      params: { id: batchId, tid: first?.id ?? "" },
      body: {
        value: 77_10,
        destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: "sem-arroba" },
      },
    });
    const typed = {
      value: 5_00,
      destination_bank_account: {
        name: "Bruno Reis",
        cpf_cnpj: "12ABC34501DE35",
        bank_id: "60701190",
        agency: "1234",
        account: "12345",
        account_digit: "",
        account_type: "CONTA_CORRENTE",
      },
    };
    await helena.post(`/api/payments/app/batch/${batchId}/transfer`, typed);
    const again = await draftOfFile(app, helena, await badRows(batchId, "csv"), "corrigir.csv");
    expect(
      again.transfers.map((transfer) => [transfer.value, transfer.payment_method, codes(transfer)]),
    ).toEqual([
      [77_10, "PIX", ["pix_key_email_invalid"]],
      [10_50, "PIX", ["pix_key_email_invalid", "payment_date_invalid"]],
      [5_00, "TED", ["account_digit_missing"]],
    ]);
    expect(again.transfers[2]?.destination_bank_account).toMatchObject({
      name: "Bruno Reis",
      cpf_cnpj: "12ABC34501DE35",
      bank_id: "60701190",
      agency: "1234",
      account: "12345",
      account_type: "CONTA_CORRENTE",
    });
  });
});
