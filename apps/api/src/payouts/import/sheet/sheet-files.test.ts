import { gather, inlineWorkbook } from "@malote/sheet-reader/testing-workbook";
import { afterEach, describe, expect, it, vi } from "vitest";
import { writeBadRowsSheet } from "./bad-rows-sheet.ts";
import { modelHeadings, writeModelSheet } from "./model-sheets.ts";
import { openSheet } from "./read-sheet.ts";
import type { SheetKind } from "./sheet-layout.ts";

const kinds: SheetKind[] = ["transfer", "transfer-pix", "billet"];
const forms = ["xlsx", "csv"] as const;
const both = kinds.flatMap((kind) => forms.map((form) => [kind, form] as const));

const readTransfers = async (bytes: Buffer, form: string) =>
  (await gather((await openSheet(bytes, `a.${form}`)).transfers())).flat();

afterEach(() => void vi.useRealTimers());

describe("the models to download", () => {
  it("are the same file in each download", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T12:00:00Z") });
    const today = await writeModelSheet("transfer", "xlsx");
    vi.setSystemTime(Date.parse("2027-02-01T12:00:00Z"));
    expect((await writeModelSheet("transfer", "xlsx")).equals(today)).toBe(true);
  });

  it.each(both)(
    "IMP-003 the model of %s as %s is recognised by the reader, and contains no payment",
    async (kind, form) => {
      const sheet = await openSheet(await writeModelSheet(kind, form), `modelo.${form}`);
      expect(sheet.headings).toMatchObject({ kind, texts: modelHeadings(kind) });
      expect(Object.keys(sheet.headings.columnOf)).toHaveLength(modelHeadings(kind).length);
      const rows = kind === "billet" ? sheet.boletos() : sheet.transfers();
      await expect(gather<unknown>(rows)).rejects.toMatchObject({ code: "sheet_without_items" });
    },
  );

  const numberOf = ["agency", "agencyDigit", "account", "accountDigit"];
  const whatAndWhen = ["value", "integrationId", "paymentDate", "pixDescription"];
  it.each([
    ["transfer", ["name", "taxId", "email", "bank", ...numberOf, "accountType", ...whatAndWhen]],
    ["transfer-pix", ["name", "taxId", "email", "pixKeyType", "pixKey", ...whatAndWhen]],
    ["billet", ["barcode", "value", "paymentDate", "description", "integrationId"]],
  ] as const)("IMP-013 reads each column of the model of %s by its heading", async (kind, fields) => {
    const { headings } = await openSheet(await writeModelSheet(kind, "csv"), "modelo.csv");
    expect(headings.columnOf).toEqual(Object.fromEntries(fields.map((field, column) => [field, column])));
  });

  it("IMP-013 has exactly the decided headings", () => {
    expect(modelHeadings("transfer")).toEqual([
      "Nome ou Razão Social",
      "CPF ou CNPJ",
      "Email (opcional)",
      "Banco",
      "Agência",
      "Dígito da agência",
      "Conta",
      "Dígito da conta",
      "Tipo de Conta (Corrente ou Poupança)",
      "Valor",
      "ID integração (opcional)",
      "Data de agendamento (opcional)",
      "Descrição Pix (opcional)",
    ]);
    expect(modelHeadings("billet")).toEqual([
      "Linha digitável ou código de barras",
      "Valor",
      "Data de pagamento (opcional)",
      "Descrição",
      "ID integração (opcional)",
    ]);
    expect(modelHeadings("transfer-pix")).toEqual([
      "Nome ou Razão Social",
      "CPF ou CNPJ",
      "Email (opcional)",
      "Tipo de chave Pix",
      "Chave Pix",
      "Valor",
      "ID integração (opcional)",
      "Data de agendamento (opcional)",
      "Descrição Pix (opcional)",
    ]);
  });
});

describe("the file of bad rows", () => {
  const headings = ["Nome", "Chave Pix", "Valor", "Minha coluna"];
  const payloads = [
    "=1+1",
    "+5511987654321",
    "-5,00",
    "@SUM(A1)",
    "'=x",
    '=HYPERLINK("http://x";"y")',
    'a "b"; c',
    "001",
  ];

  it.each(forms)("S6 preserves every text when the %s is imported again", async (form) => {
    const badRows = payloads.map((text) => ({
      raw: [text, "a@b.com", "1,567", text],
      reasons: ["Valor inválido", "x"],
    }));
    const rows = await readTransfers(await writeBadRowsSheet(headings, badRows, form), form);
    expect(rows.map((row) => row.draft.name)).toEqual(payloads);
    expect(rows.map((row) => row.raw.slice(0, 4))).toEqual(badRows.map((row) => row.raw));
    expect(rows.every((row) => row.draft.value === null)).toBe(true);
  });

  it.each(forms)(
    "preserves a heading of the sheet over any number of exports and imports by %s",
    async (form) => {
      const own = ["Nome", "Chave Pix", "Valor", "=1+1", "\u200b@x"];
      const file = await writeBadRowsSheet(
        own,
        [{ raw: ["Ana", "a@b.com", "x", "1", "2"], reasons: ["a"] }],
        form,
      );
      const { headings: read } = await openSheet(file, `a.${form}`);
      expect(read.texts.slice(0, 5)).toEqual(own);
    },
  );

  it("makes formulas harmless in CSV and keeps them text in xlsx", async () => {
    const file = await writeBadRowsSheet(
      headings,
      [{ raw: ["=1+1", "+1", "-5", "\u200b@x"], reasons: ["a"] }],
      "csv",
    );
    expect(file.toString()).toContain(`"'=1+1";"'+1";"'-5";"'\u200b@x";"a"`);
  });

  it("contains no formula for a program that splits at commas or tabs", async () => {
    const texts = ["Fulano de Tal,=1+1", 'x,"=HYPERLINK(1)', "x\t=1+1", "Ana, -5"];
    const file = (await writeBadRowsSheet(headings, [{ raw: texts, reasons: ["a"] }], "csv")).toString();
    expect(file).toContain(`"Fulano de Tal,'=1+1";"x,'""=HYPERLINK(1)";"x\t'=1+1";"Ana,' -5"`);
  });

  it("writes the reasons of this export, not of the one before", async () => {
    const file = await writeBadRowsSheet(
      ["Nome", "Motivo", "Valor"],
      [{ raw: ["Ana", "velho", "1"], reasons: ["novo"] }],
      "csv",
    );
    expect(file.toString()).toBe('\ufeff"Nome";"Valor";"Motivo"\r\n"Ana";"1";"novo"\r\n');
  });

  it("converts wrong number cells into texts that stay wrong", async () => {
    const [row] = await readTransfers(inlineWorkbook([headings, ["Ana", "a@b.com", "1,567", ""]]), "xlsx");
    const again = await readTransfers(
      await writeBadRowsSheet(headings, [{ raw: row?.raw ?? [], reasons: [] }], "xlsx"),
      "xlsx",
    );
    expect(again[0]?.draft.value).toBeNull();
  });
});
