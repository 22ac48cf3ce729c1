/** SET-012: automatic correction replaces a check digit that the bank's rule contradicts, and marks it. */
import { changeCompanySettings } from "@malote/contracts/company";
import { importSheet, readSheet } from "@malote/contracts/import";
import { addTransfer, changeTransfer, listTransfers } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { csvOf, multipart, multipartType, uploadPath } from "../../testing/import-kit.ts";
import { closing, draft, openPayments, type PaymentsKit, ted } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const switchTo = async (accept_contacerta_suggestions: boolean) =>
  expect(
    (await kit.admin.call(changeCompanySettings, { body: { accept_contacerta_suggestions } })).status,
  ).toBe(200);
/** Itaú's rule gives digit 7 for 1234 56789. */
const itau = (account_digit: string, account = "56789") =>
  ted(10_00, {
    destination_bank_account: {
      name: "Padaria Sol Nascente",
      cpf_cnpj: "11222333000181",
      bank_id: "60701190",
      agency: "1234",
      account,
      account_digit,
      account_type: "CONTA_CORRENTE",
    },
  });
const fetchRows = async (id: string) =>
  (await kit.admin.call(listTransfers, { params: { id }, query: {} })).body.data;
async function wrongDraft(payment: ReturnType<typeof itau>): Promise<string> {
  const { id } = await draft(kit.admin, []);
  await kit.admin.call(addTransfer, { params: { id }, body: payment });
  return id;
}
const mark = (before: string | null) => ({
  field: "account_digit",
  origin: "automatic",
  before,
  after: "7",
  by: null,
  at: "2026-08-12T13:00:00.000Z",
});

it("SET-012 keeps the wrong digit with its suggestion while it is off, and refuses to close the batch", async () => {
  await kit.deposit(10_00);
  const id = await wrongDraft(itau("8"));
  expect(await fetchRows(id)).toMatchObject([
    {
      destination_bank_account: { account_digit: "8" },
      errors: [{ code: "account_digit_invalid", suggestion: { account_digit: "7" } }],
      data_marks: [],
    },
  ]);
  expect((await closing(kit.admin, id)).body.code).toBe("batch_has_errors");
});

it("SET-012 corrects the digit and marks it while it is on, and does not change a right digit", async () => {
  await switchTo(true);
  const { id } = await draft(kit.admin, [itau("8"), itau(""), itau("7")]);
  expect(await fetchRows(id)).toMatchObject([
    { destination_bank_account: { account_digit: "7" }, errors: [], data_marks: [mark("8")] },
    { destination_bank_account: { account_digit: "7" }, errors: [], data_marks: [mark(null)] },
    { destination_bank_account: { account_digit: "7" }, errors: [], data_marks: [] },
  ]);
});

it("SET-012 does not guess a number of the wrong length while it is on, and keeps its digit", async () => {
  await switchTo(true);
  const id = await wrongDraft(itau("8", "1234567"));
  expect(await fetchRows(id)).toMatchObject([
    { destination_bank_account: { account_digit: "8" }, data_marks: [] },
  ]);
  expect((await fetchRows(id))[0].errors).not.toEqual([]);
});

it("SET-012 corrects a payment that is changed later, and removes the mark of a value that a person typed", async () => {
  await switchTo(true);
  const { id } = await draft(kit.admin, []);
  const { body } = await kit.operator.call(addTransfer, { params: { id }, body: itau("9") });
  expect((await fetchRows(id))[0].data_marks).toEqual([mark("9")]);
  const other = itau("7");
  const changed = {
    ...other,
    destination_bank_account: { ...other.destination_bank_account, account: "12345", account_digit: "" },
  };
  await kit.operator.call(changeTransfer, { params: { id, tid: body.id }, body: changed });
  const [row] = await fetchRows(id);
  expect(row.errors).toEqual([]);
  expect(row.data_marks).toMatchObject([
    { origin: "automatic", after: row.destination_bank_account.account_digit },
  ]);
});

it("SET-012 corrects the rows of a sheet in addition to the guesses of the reading", async () => {
  await switchTo(true);
  const headings = "Nome,CPF ou CNPJ,Banco,Agência,Conta,Dígito da conta,Tipo de Conta,Valor".split(",");
  const row = (digit: string) => [
    "Padaria Sol Nascente",
    "11222333000181",
    "341",
    "1234",
    "56789",
    digit,
    "Corrente",
    "10,00",
  ];
  const file = multipart([
    { name: "file", fileName: "folha.csv", content: csvOf([headings, row("8"), row("7")]) },
  ]);
  const sent = await kit.send("POST", uploadPath, file, {
    token: kit.admin.token,
    headers: multipartType,
  });
  expect(sent.status).toBe(200);
  await kit.admin.call(importSheet, { body: { sheet_id: sent.body.id } });
  await kit.drainJobs();
  const { body } = await kit.admin.call(readSheet, { params: { id: sent.body.id } });
  expect(await fetchRows(body.batch_id)).toMatchObject([
    {
      destination_bank_account: { account_digit: "7" },
      errors: [],
      data_marks: [{ origin: "automatic", before: "8" }],
    },
    { errors: [], data_marks: [] },
  ]);
});
