/**
 * Sheets with the typical content of people's files: five hundred rows, most of them good, and every kind of mistake
 * among the rest.
 */
import { buffer } from "node:stream/consumers";
import { writeCsvFile } from "@malote/sheet-reader/write-csv";
import { textPieces } from "@malote/sheet-reader/write-xlsx";
import { headingOf } from "../apps/api/src/payouts/import/sheet/heading-words.ts";
import type { SheetField } from "../apps/api/src/payouts/import/sheet/headings.ts";

export type Row = Partial<Record<SheetField, string>>;

export interface Sheet {
  fields: readonly SheetField[];
  rows: readonly Row[];
}

export const rowCount = 500;

/** An amount per row that distinguishes rows: 10,01 then 10,02 … */
const amount = (index: number) => `${10 + Math.floor(index / 100)},${String(index % 100).padStart(2, "0")}`;

const pixFields = [
  "name",
  "taxId",
  "email",
  "pixKeyType",
  "pixKey",
  "value",
  "integrationId",
  "paymentDate",
  "pixDescription",
] as const satisfies readonly SheetField[];

const goodPix = (index: number): Row => ({
  name: `Fornecedor ${index}`,
  taxId: "529.982.247-25",
  email: `contas${index}@exemplo.com.br`,
  pixKeyType: "EMAIL",
  pixKey: `fornecedor${index}@exemplo.com.br`,
  value: amount(index),
  integrationId: `NF-${index}`,
  pixDescription: `Nota ${index}`,
});

const bankFields = [
  "name",
  "taxId",
  "email",
  "bank",
  "agency",
  "agencyDigit",
  "account",
  "accountDigit",
  "accountType",
  "value",
  "integrationId",
  "paymentDate",
  "pixDescription",
] as const satisfies readonly SheetField[];

const goodAccount = (index: number): Row => ({
  name: `Fornecedor ${index}`,
  taxId: "529.982.247-25",
  email: `contas${index}@exemplo.com.br`,
  bank: "341",
  agency: "1234",
  account: "56789",
  accountDigit: "7",
  accountType: "Conta corrente",
  value: amount(index),
  integrationId: `NF-${index}`,
});

/** A kind of mistake and its number of rows. */
type Defect = readonly [times: number, change: Row];

/** The mistakes come first, so that their rows are known in advance; the good rows fill the sheet. */
function fill(good: (index: number) => Row, defects: readonly Defect[]): Row[] {
  const rows: Row[] = [];
  for (const [times, change] of defects) {
    for (let time = 0; time < times; time++) rows.push({ ...good(rows.length), ...change });
  }
  while (rows.length < rowCount) rows.push(good(rows.length));
  return rows;
}

export const failingKeys = { unknown: "chave.pix15@exemplo.com.br", salary: "chave.pix16@exemplo.com.br" };

/** Documents of receivers whose accounts fail. */
export const failingTaxIds = { closed: "827.188.890-04", blocked: "962.348.940-46" };

export const pixSheet: Sheet = {
  fields: pixFields,
  rows: fill(goodPix, [
    [37, { paymentDate: "05/01/2024" }],
    [12, { taxId: "1234567890" }],
    [6, { value: "a combinar" }],
    [4, { value: "-10,00" }],
    [3, { value: "12,345" }],
    [5, { pixDescription: "x".repeat(150) }],
    [3, { pixDescription: "<script>alert(1)</script>" }],
    [4, { email: "sem arroba" }],
    [3, { taxId: "731.905.284-97" }],
    [2, { value: "99.000.000,00" }],
    [3, { paymentDate: "32/13/2026" }],
    [2, { pixKeyType: "TELEFONE", pixKey: "123" }],
    [2, { pixKeyType: "CHAVE_ALEATORIA", pixKey: "nada" }],
    [2, { pixKeyType: "CPF", pixKey: "529.982.247-26" }],
    [2, { pixKeyType: "CNPJ", pixKey: "11.222.333/0001-80" }],
    [2, { pixKeyType: "EMAIL", pixKey: "fulano@" }],
    [2, { pixKeyType: "boleto", pixKey: "fulano@exemplo.com.br" }],
    [2, { name: "A" }],
    [1, { name: "=SOMA(A1:A9)" }],
    [2, { integrationId: "NF-REPETIDA" }],
    [1, { taxId: "não sei", pixKey: "???", value: "???" }],
    [3, { name: "Sem Chave Ltda", pixKey: failingKeys.unknown }],
    [1, { name: "Conta Salário", pixKey: failingKeys.salary }],
  ]),
};

export const bankSheet: Sheet = {
  fields: bankFields,
  rows: fill(goodAccount, [
    [37, { bank: "Banco do Povo" }],
    [12, { accountDigit: "3" }],
    [4, { accountType: "não sei" }],
    [2, { agency: "" }],
    [2, { account: "" }],
    [2, { accountDigit: "" }],
    [2, { agency: "12345678" }],
    [2, { taxId: "111.111.111-11" }],
    [2, { name: "" }],
    [1, { name: "Sem Nada Ltda", taxId: "", value: "" }],
    [1, { name: "Conta Encerrada", taxId: failingTaxIds.closed }],
    [1, { name: "Conta Bloqueada", taxId: failingTaxIds.blocked }],
  ]),
};

const tableOf = ({ fields, rows }: Sheet) => [
  fields.map((field) => headingOf[field]),
  ...rows.map((row) => fields.map((field) => row[field] ?? "")),
];

export const sheetFile = async (sheet: Sheet, form: "xlsx" | "csv"): Promise<Buffer> =>
  form === "csv" ? writeCsvFile(tableOf(sheet)) : buffer(textPieces("Pagamentos", 22, tableOf(sheet)));
