/** Sheets of any origin become rows of payments. */
import { normaliseBoleto } from "@malote/domain/boleto";
import { bankBarcode, formatBoletoLine } from "@malote/domain/boleto-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { checkTransfer, normaliseTransfer } from "@malote/domain/transfer";
import { buildWorkbook, gather, inlineRow, worksheet } from "@malote/sheet-reader/testing-workbook";
import { describe, expect, it } from "vitest";
import { csv, oneXlsxRow, pixHeadings, pixRow, readTransfers } from "../../../testing/read-sheet-kit.ts";
import { openSheet } from "./read-sheet.ts";
import { SheetRefusal } from "./refusal.ts";

async function catchRefusal(work: Promise<unknown>): Promise<SheetRefusal> {
  const answer = await work.catch((error: unknown) => error);
  if (!(answer instanceof SheetRefusal)) throw new Error(`no refusal but ${String(answer)}`);
  return answer;
}

describe("sheets in their own form", () => {
  it.each(["Vencimento", "Data", "Pagar em", "Dt. Vcto", "Data de vencimento"])(
    "reads %s as the day of payment, and reports ignored columns",
    async (heading) => {
      const sheet = await openSheet(
        csv([
          `Nome;Chave Pix;Valor;${heading};Obs.;Centro de custo`,
          "Ana;a@b.com;1,00;30/11/2026;NF 12;CC-1",
        ]),
        "a.csv",
      );
      expect((await gather(sheet.transfers())).flat()[0]?.draft).toMatchObject({
        paymentDate: "2026-11-30",
        pixDescription: "NF 12",
      });
      expect(sheet.headings.layout.columns.map(({ heading, field }) => [heading, field])).toEqual([
        ["Nome", "name"],
        ["Chave Pix", "pixKey"],
        ["Valor", "value"],
        [heading, "paymentDate"],
        ["Obs.", "pixDescription"],
        ["Centro de custo", null],
      ]);
    },
  );

  const line = "00190.00009 01234.567004 00000.000174 1 00000000012345";
  const rightLine = formatBoletoLine(
    bankBarcode({ bankCode: "001", dueDate: null, value: cents(12_345), freeField: "0".repeat(25) }),
  );

  it.each([
    ["Conta;Código de barras / linha digitável;Pagar em", `Luz;${rightLine};30/11/2026`],
    ["Conta;O que pagar;Pagar em", `Luz;${rightLine};30/11/2026`],
    ["Fornecedor;Boleto nº;Vencimento;Pagar em", `Luz;${rightLine};29/11/2026;30/11/2026`],
  ])("IMP-012 reads a sheet of boletos by its cells: %s", async (headings, row) => {
    const sheet = await openSheet(csv([headings, row]), "a.csv");
    expect(sheet.headings.kind).toBe("billet");
    const [boleto] = (await gather(sheet.boletos())).flat();
    expect(boleto?.draft).toMatchObject({
      barcode: rightLine,
      value: null,
      paymentDate: "2026-11-30",
      description: "Luz",
    });
    expect(normaliseBoleto(boleto!.draft, "2026-11-22" as CalendarDate).value).toBe(12_345);
  });

  it("IMP-012 reads a list of boletos without headings, and one whose first row is wrong", async () => {
    const bare = await openSheet(csv([rightLine, rightLine, line]), "a.csv");
    expect(bare.headings).toMatchObject({ kind: "billet", sheetRow: 0, texts: ["Coluna 1"] });
    expect((await gather(bare.boletos())).flat()).toHaveLength(3);
  });

  it("does not read the keys of invoices as boletos", async () => {
    const key = "35261112345678000190550010000001231123456780";
    const refusal = await catchRefusal(openSheet(csv(["Fornecedor;Chave NF-e", `Luz;${key}`]), "a.csv"));
    expect(refusal.code).not.toBe("sheet_unclear_columns");
  });

  it.each([
    ["TOTAL;;;11,50", 11_50],
    [";;Total geral:;R$ 11,50", 11_50],
    ["Soma;;;", null],
  ])("a row %s is not a payment, and its sum is reported", async (last, stated) => {
    const sheet = await openSheet(
      csv([
        "Nome;CPF;Chave Pix;Valor",
        "Ana;;a@b.com;1,00",
        "Subtotal;;;1,00",
        "Total Ltda;;b@b.com;10,50",
        last,
      ]),
      "a.csv",
    );
    const rows = (await gather(sheet.transfers())).flat();
    expect(rows.map(({ draft }) => draft.name)).toEqual(["Ana", "Total Ltda"]);
    expect(sheet.total()).toEqual({ sheetRow: 5, stated });
  });
});

describe("the kind of a sheet", () => {
  it.each([
    ["billet", "Código de Barras;Valor"],
    ["transfer-pix", "Favorecido;Chave;Valor a pagar"],
    ["transfer", "Razão Social;CPF/CNPJ;Cód. Banco;Ag.;Dígito;C/C;DV;Tipo conta;VALOR (R$)*"],
  ])("IMP-011 IMP-012 finds a %s sheet by its headings", async (kind, headings) => {
    expect((await openSheet(csv(["Instruções, leia", "", headings]), "a.csv")).headings).toMatchObject({
      kind,
      sheetRow: 3,
    });
  });

  it("IMP-012 reads a sheet with a key type as one of keys, and with a barcode as one of boletos, whatever else it has", async () => {
    const refusal = await catchRefusal(openSheet(csv(["Nome;Tipo de chave;Valor"]), "a.csv"));
    expect(refusal.missingHeadings).toEqual(["Chave Pix"]);
    const { headings } = await openSheet(csv(["Chave Pix;Código de barras;Valor"]), "a.csv");
    expect(headings.kind).toBe("billet");
  });

  it("IMP-013 reads a digit column by the column before it", async () => {
    const { headings } = await openSheet(
      csv(["Nome;CPF;Banco;Ag;Dígito;Conta;Dígito;Tipo conta;Valor"]),
      "a.csv",
    );
    expect(headings.columnOf).toMatchObject({ agency: 3, agencyDigit: 4, account: 5, accountDigit: 6 });
  });

  it("reads the first visible tab that has the headings", async () => {
    const bytes = buildWorkbook({
      sheets: [
        {
          state: "hidden",
          xml: worksheet(inlineRow(1, pixHeadings) + inlineRow(2, ["Oculta", "EMAIL", "x@y.com", "9"])),
        },
        { xml: worksheet(inlineRow(1, ["Capa"])) },
        { xml: worksheet(inlineRow(1, pixHeadings) + inlineRow(2, pixRow)) },
      ],
    });
    expect((await readTransfers(bytes)).map((row) => row.draft.name)).toEqual(["Ana Lima"]);
  });

  it("keeps __proto__ and other odd headings harmless", async () => {
    const [row] = await readTransfers(
      csv(["__proto__;constructor;Chave Pix;Valor", "x;y;a@b.com;1"]),
      "a.csv",
    );
    expect(row).toMatchObject({ raw: ["x", "y", "a@b.com", "1"], draft: { pixKey: "a@b.com", value: 100 } });
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe("the shapes of real programs", () => {
  it("reads shared and rich strings, numbers, dates, formulas and booleans of Excel", async () => {
    const [row] = await readTransfers(
      oneXlsxRow(
        '<row r="7" hidden="1"><c r="A7" t="s"><v>0</v></c><c r="C7" s="3" t="s"><v>1</v></c>' +
          '<c r="D7" s="3"><f>B1*2</f><v>1234.5600000001</v></c><c r="E7" s="1"><v>46346</v></c>' +
          '<c r="F7" t="str"><f>"a"</f><v>nota &amp; fiscal</v></c><c r="G7" t="b"><v>1</v></c></row>',
      ),
    );
    expect(row).toMatchObject({
      sheetRow: 7,
      hidden: true,
      raw: ["Ana Lima", "", "ana@exemplo.com.br", "1234,56", "20/11/2026", "nota & fiscal", "VERDADEIRO"],
      draft: {
        pixKey: "ana@exemplo.com.br",
        pixKeyType: "EMAIL",
        value: 123456,
        paymentDate: "2026-11-20",
        pixDescription: "nota & fiscal",
      },
    });
  });

  it("counts days from 1904 if the workbook does", async () => {
    const xml = worksheet(
      `${inlineRow(1, pixHeadings)}<row r="2"><c r="C2" t="inlineStr"><is><t>a@b.com</t></is></c><c r="D2"><v>1</v></c><c r="E2" s="1"><v>44884.5</v></c></row>`,
    );
    const bytes = buildWorkbook({ date1904: true, formats: [14], sheets: [{ xml }] });
    expect((await readTransfers(bytes))[0]?.draft.paymentDate).toBe("2026-11-20");
  });

  it("reads prefixed names, rows and cells without references, single quotes, CDATA and comments", async () => {
    const cell = (text: string) => `<x:c t='inlineStr'><x:is><x:t>${text}</x:t></x:is></x:c>`;
    const xml = `<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x='urn:x'><x:sheetData><x:row>${pixHeadings.map(cell).join("")}</x:row><x:row/><x:row>${["<![CDATA[Ana & <b>]]>", "EMAIL", "a@b.com", "2,00"].map(cell).join("<!-- x -->")}</x:row></x:sheetData></x:worksheet>`;
    const [row] = await readTransfers(buildWorkbook({ sheets: [{ xml }] }));
    expect(row).toMatchObject({
      sheetRow: 3,
      raw: ["Ana & <b>", "EMAIL", "a@b.com", "2,00"],
      draft: { name: "Ana &" },
    });
  });

  it("reads sparse cells, cells out of order and blank styled ones", async () => {
    const [row] = await readTransfers(
      oneXlsxRow(
        '<row r="2" spans="1:7"><c r="A2" s="2"/><c r="D2"><v>1.5</v></c><c r="C2" t="inlineStr"><is><t xml:space="preserve"> a@b.com </t></is></c></row><row r="3"><c r="A3" s="1"/></row>',
      ),
    );
    expect(row).toMatchObject({
      raw: ["", "", " a@b.com ", "1,50"],
      draft: { name: null, pixKey: "a@b.com", value: 150 },
    });
  });

  it.each(["#REF!", "#N/A"])("does not take the formula error %s for a name", async (error) => {
    const [row] = await readTransfers(
      oneXlsxRow(
        `<row r="2"><c r="A2" t="e"><v>${error}</v></c><c r="C2" t="s"><v>1</v></c><c r="D2"><f>A1</f></c></row>`,
      ),
    );
    expect(row?.issues).toEqual([{ code: "name_invalid", field: "name" }]);
    expect(row?.draft.value).toBeNull();
    expect(row?.raw[3]).toBe("#SEM RESULTADO");
  });
});

describe("a row from cell to payment", () => {
  it("repairs values that Excel changed and passes the checks of the domain", async () => {
    const headings = ["Nome", "CPF", "Banco", "Agência", "Conta", "Tipo de Conta", "Valor"];
    const bytes = buildWorkbook({
      sheets: [
        {
          xml: worksheet(
            `${inlineRow(1, headings)}<row r="2"><c r="A2" t="inlineStr"><is><t>Ana Lima</t></is></c><c r="B2"><v>1234567890</v></c><c r="C2"><v>1</v></c><c r="D2"><v>12</v></c><c r="E2" t="inlineStr"><is><t>1234-3</t></is></c><c r="F2" t="inlineStr"><is><t>CONTA CORRENTE</t></is></c><c r="G2"><v>19.990000000000002</v></c></row>`,
          ),
        },
      ],
    });
    const [row] = await readTransfers(bytes);
    expect(row?.draft).toMatchObject({
      taxId: "01234567890",
      bankIspb: "00000000",
      agency: "0012",
      account: "1234",
      accountDigit: "3",
      accountType: "CONTA_CORRENTE",
      value: 1999,
    });
  });

  it("keeps unreadable cells in the raw row, so that the checks report them", async () => {
    const bytes = csv([
      "Nome;CPF;Banco;Agência;Conta;Dígito da conta;Tipo de Conta;Valor;Data",
      "Ana;123;Banco do Bairro;1;2;3;salário;1,234;amanhã",
    ]);
    const [row] = await readTransfers(bytes, "a.csv");
    if (row === undefined) throw new Error("no row");
    expect(row.raw).toContain("Banco do Bairro");
    const { errors } = checkTransfer(normaliseTransfer(row.draft), {
      today: "2026-11-20" as never,
      now: "10:00:00",
      maxCents: { TED: 1e9, PIX: 1e9, TEV: 1e9 } as never,
      blocked: () => false,
      publicEntityNeedsCaixa: true,
    });
    expect(errors.map((issue) => issue.code)).toEqual(
      expect.arrayContaining([
        "tax_id_invalid",
        "bank_missing",
        "account_type_invalid",
        "value_invalid",
        "payment_date_invalid",
      ]),
    );
  });
});
