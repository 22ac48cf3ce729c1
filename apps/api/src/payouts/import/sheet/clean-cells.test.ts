import { type CellKind, cellKind } from "@malote/sheet-reader/sheet-row";
import { describe, expect, it } from "vitest";
import { boletoCleaner, transferCleaner } from "./clean-cells.ts";
import { centsOfNumber, numberAsShown } from "./clean-number.ts";
import { cleanDescription, cleanText, cutText } from "./clean-text.ts";
import type { SheetField, SheetHeadings } from "./headings.ts";

type Cells = Partial<Record<SheetField, string>>;

function sheetOf(
  kind: SheetHeadings["kind"],
  cells: Cells,
  kinds: Partial<Record<SheetField, CellKind>> = {},
) {
  const fields = Object.keys(cells) as SheetField[];
  const headings: Pick<SheetHeadings, "kind" | "columnOf" | "texts" | "sheetRow"> = {
    kind,
    sheetRow: 1,
    texts: fields,
    columnOf: Object.fromEntries(fields.map((field, column) => [field, column])),
  };
  const row = {
    sheetRow: 2,
    hidden: false,
    texts: fields.map((field) => cells[field] ?? ""),
    kinds: fields.map((field) => kinds[field] ?? cellKind.text),
  };
  return { headings, row };
}

function clean(cells: Cells, kinds: Partial<Record<SheetField, CellKind>> = {}) {
  const { headings, row } = sheetOf("transfer", cells, kinds);
  return transferCleaner(headings)(row).draft;
}

function cleanBoleto(cells: Cells) {
  const { headings, row } = sheetOf("billet", cells);
  return boletoCleaner(headings)(row).draft;
}

describe("texts", () => {
  it("IMP-016 cuts each text at its length", () => {
    const long = (letter: string) => letter.repeat(400);
    const draft = clean({
      name: long("a"),
      taxId: long("1"),
      email: long("b"),
      agency: long("2"),
      agencyDigit: long("3"),
      account: long("4"),
      accountDigit: long("5"),
      pixDescription: long("c"),
    });
    expect(draft).toMatchObject({
      name: "a".repeat(255),
      taxId: "1".repeat(25),
      email: "b".repeat(255),
      agency: "2".repeat(30),
      agencyDigit: "3".repeat(10),
      account: "4".repeat(30),
      accountDigit: "5".repeat(10),
      pixDescription: "c".repeat(255),
    });
  });

  it("never cuts a character in half", () => {
    expect(cutText("ab😀", 3)).toBe("ab");
  });

  it.each([
    ["Jo&atilde;o &amp; Filhos", "João & Filhos"],
    ["<b>Ana</b> <script src=x>Lima", "Ana Lima"],
    ["&lt;i&gt;Ana&lt;/i&gt;", "Ana"],
    ["M&A Comércio < 3", "M&A Comércio < 3"],
    ["Ana\u200b\u202e Lima\u00a0 Souza", "Ana Lima Souza"],
    ["&#65;&#x42;&#0;&naosei;", "AB&naosei;"],
  ])("IMP-017 cleans %j", (text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it("IMP-017 cleans every text of a payment except its Pix description", () => {
    const marked = (text: string) => `<b>${text}</b>&nbsp;`;
    const given = {
      name: "Ana Lima",
      taxId: "52998224725",
      email: "ana@exemplo.com.br",
      agency: "1234",
      agencyDigit: "5",
      account: "56789",
      accountDigit: "7",
      pixKeyType: "EMAIL",
      pixKey: "ana@exemplo.com.br",
      pixDescription: "nota",
      integrationId: "NF 7",
    };
    const cells = Object.fromEntries(Object.entries(given).map(([field, text]) => [field, marked(text)]));
    const others = {
      bank: marked("341"),
      accountType: marked("Corrente"),
      value: marked("1,00"),
      paymentDate: marked("30/11/2026"),
      pixKeyValidation: marked("111.444.777-35"),
    };
    expect(clean({ ...cells, ...others })).toMatchObject({
      ...given,
      pixDescription: marked("nota"),
      bankIspb: "60701190",
      accountType: "CONTA_CORRENTE",
      value: 1_00,
      paymentDate: "2026-11-30",
      pixKeyValidation: "11144477735",
    });
  });

  it("IMP-017 cleans every text of a boleto", () => {
    const draft = cleanBoleto({
      barcode: "<b>836600000015</b>&nbsp;",
      value: "<b>1.234,56</b>&nbsp;",
      paymentDate: "<b>30/11/2026</b>&nbsp;",
      description: "<b>Luz</b> &amp; &aacute;gua",
      integrationId: "<i>NF</i> 7",
    });
    expect(draft).toEqual({
      barcode: "836600000015",
      value: 1_234_56,
      paymentDate: "2026-11-30",
      description: "Luz & água",
      integrationId: "NF 7",
    });
  });

  it("IMP-017 does not change the markup of a Pix description", () => {
    expect(cleanDescription(" <b>nota</b> &amp; 1\u0007 ")).toBe("<b>nota</b> &amp; 1");
  });
});

describe("values", () => {
  it.each([
    ["1.234,56", 123456],
    ["R$ 1.234,56", 123456],
    ["1234.56", 123456],
    ["1.234", 123400],
    ["10", 1000],
    ["1,234", null],
    ["dez", null],
    ["", null],
  ])("IMP-018 reads the text %j", (value, amount) => {
    expect(clean({ value }).value).toBe(amount);
  });

  it.each([
    ["1234.56", 123456],
    ["1234.5600000001", 123456],
    ["19.990000000000002", 1999],
    ["1.23456E3", 123456],
    ["1234", 123400],
    ["1.567", null],
    ["33.333333333333336", null],
    ["1E+300", null],
    ["-5", -500],
  ])("IMP-018 reads the number %j", (value, amount) => {
    expect(clean({ value }, { value: cellKind.number }).value).toBe(amount);
  });

  it("writes a number so that it has the same meaning when it is read as text", () => {
    expect(["1.567", "1234.5", "33.333333333333336", "12345678000195", "1E+3"].map(numberAsShown)).toEqual([
      "1,567",
      "1234,50",
      "33,3333333333333",
      "12345678000195",
      "1000",
    ]);
    expect(centsOfNumber("1.567")).toBeUndefined();
  });
});

describe("banks, types and keys", () => {
  it.each([
    ["1", "00000000"],
    ["033 - Santander", "90400888"],
    ["Brasil", null],
    ["BRASIL ", null],
  ])("IMP-019 reads the bank %j", (bank, ispb) => {
    expect(clean({ bank }).bankIspb).toBe(ispb);
  });

  it.each([
    ["Conta POUPANÇA", "CONTA_POUPANCA"],
    ["corrente", "CONTA_CORRENTE"],
    ["Facil", "CONTA_FACIL"],
    ["conta de pagamento", "CONTA_PAGAMENTO"],
    ["Entidade", "ENTIDADES_PUBLICAS"],
    ["órgão pública", "ENTIDADES_PUBLICAS"],
    ["salário", null],
  ])("IMP-020 guesses the account type of %j", (accountType, type) => {
    expect(clean({ accountType }).accountType).toBe(type);
  });

  it.each([
    ["cpf", "12345678909", "CPF"],
    ["chave_aleatoria", "x", "CHAVE_ALEATORIA"],
    ["Email", "a@b.com", "EMAIL"],
    ["cheque", "x", "CHEQUE"],
    ["", "a@b.com", "EMAIL"],
    // Both a mobile and a document: only the person may choose.
    ["", "51998259765", null],
  ])("IMP-021 reads the key type %j of %j", (pixKeyType, pixKey, type) => {
    expect(clean({ pixKeyType, pixKey }).pixKeyType).toBe(type);
  });

  it("restores zeros only if exactly one document can result", () => {
    expect(clean({ taxId: "1234567890" }, { taxId: cellKind.number }).taxId).toBe("01234567890");
    expect(clean({ taxId: "1234567891" }, { taxId: cellKind.number }).taxId).toBe("1234567891");
    expect(clean({ taxId: "12.ABC.345/01DE-35" }).taxId).toBe("12ABC34501DE35");
  });
});
