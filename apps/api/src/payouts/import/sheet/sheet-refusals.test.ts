/** Reasons for which a whole sheet is refused, with their texts. */
import {
  buildWorkbook,
  buildZip,
  gather,
  inlineRow,
  inlineWorkbook,
  workbookParts,
  worksheet,
} from "@malote/sheet-reader/testing-workbook";
import { describe, expect, it } from "vitest";
import { csv, pixHeadings, pixRow, readTransfers } from "../../../testing/read-sheet-kit.ts";
import { sheetLimits } from "./limits.ts";
import { modelHeadings } from "./model-sheets.ts";
import { openSheet } from "./read-sheet.ts";
import { outsideModelText, SheetRefusal } from "./refusal.ts";

async function catchRefusal(work: Promise<unknown>): Promise<SheetRefusal> {
  const answer = await work.catch((error: unknown) => error);
  if (!(answer instanceof SheetRefusal)) throw new Error(`no refusal but ${String(answer)}`);
  return answer;
}

describe("refusals of the whole sheet", () => {
  it.each(["lote.xls", "lote.pdf", "lote", "csv", "lote.xlsx.exe"])("IMP-008 refuses %s", async (name) => {
    expect((await catchRefusal(openSheet(Buffer.from("a"), name))).code).toBe("sheet_wrong_ending");
  });

  it.each(["LOTE.CSV", "lote.Csv"])("IMP-008 accepts %s", async (name) => {
    expect(await readTransfers(csv([pixHeadings.join(";"), pixRow.join(";")]), name)).toHaveLength(1);
  });

  it("IMP-009 refuses a file of size zero", async () => {
    expect(await catchRefusal(openSheet(Buffer.alloc(0), "a.csv"))).toMatchObject({
      code: "sheet_empty",
      message: outsideModelText,
    });
  });

  it.each([
    ["a picture named xlsx", Buffer.from("\x89PNG\r\n"), "a.xlsx"],
    ["a zip named csv", inlineWorkbook([pixHeadings, pixRow]), "a.csv"],
    ["bytes with NUL", Buffer.from("Nome;Valor\0;x"), "a.csv"],
    ["a text without headings", csv(["bom dia", "tudo bem"]), "a.csv"],
    ["a workbook without headings", inlineWorkbook([["bom dia"], ["tudo bem"]]), "a.xlsx"],
    ["a quote that never closes", csv([pixHeadings.join(";"), '"Ana;b', "c;d"]), "a.csv"],
  ])("IMP-010 refuses %s with the text of the model", async (_, bytes, name) => {
    expect((await catchRefusal(readTransfers(bytes, name))).message).toBe(outsideModelText);
  });

  it("IMP-010 names the headings that are missing", async () => {
    const refusal = await catchRefusal(readTransfers(csv(["Nome;CPF;Banco;Agência;Valor"]), "a.csv"));
    expect(refusal.message.startsWith(outsideModelText)).toBe(true);
    expect(refusal.missingHeadings).toEqual(["Conta", "Tipo de Conta (Corrente ou Poupança)"]);
  });

  const needed = {
    transfer: [
      "Nome ou Razão Social",
      "CPF ou CNPJ",
      "Banco",
      "Agência",
      "Conta",
      "Tipo de Conta (Corrente ou Poupança)",
      "Valor",
    ],
    "transfer-pix": ["Chave Pix", "Valor"],
  } as const;
  it.each(
    (["transfer", "transfer-pix"] as const).flatMap((kind) =>
      needed[kind].map((one) => [kind, one] as const),
    ),
  )("IMP-011 does not accept a sheet of the kind %s without '%s'", async (kind, heading) => {
    const headings = modelHeadings(kind).filter((one) => one !== heading);
    const refusal = await catchRefusal(readTransfers(csv([headings.join(";")]), "a.csv"));
    expect(refusal).toMatchObject({ code: "sheet_wrong_headings", missingHeadings: [heading] });
  });

  it("IMP-012 asks about two columns of amounts instead of choosing one", async () => {
    const refusal = await catchRefusal(
      readTransfers(csv(["Chave Pix;Valor;Valor a pagar", "a@b.com;1,00;2,00"]), "a.csv"),
    );
    expect(refusal).toMatchObject({
      code: "sheet_unclear_columns",
      message: "A planilha tem 2 colunas que podem ser o valor: Valor e Valor a pagar. Escolha qual vale.",
      layout: {
        columns: [
          { column: 0, heading: "Chave Pix", field: "pixKey", may_be: null, sample: ["a@b.com"] },
          { column: 1, field: null, may_be: "value", sample: ["1,00"] },
          { column: 2, field: null, may_be: "value", sample: ["2,00"] },
        ],
      },
    });
  });

  it.each([
    ["a chave Pix", "Nome;Chave;Chave do Pix;Valor", "Ana;a@b.com;b@b.com;1,00", "Chave e Chave do Pix"],
    [
      "o nome do recebedor",
      "Favorecido;Beneficiário;Chave Pix;Valor",
      "Ana;Bia;a@b.com;1,00",
      "Favorecido e Beneficiário",
    ],
    [
      "o CPF ou CNPJ",
      "Documento;Inscrição;Chave Pix;Valor",
      "529.982.247-25;111.444.777-35;a@b.com;1,00",
      "Documento e Inscrição",
    ],
  ])("IMP-012 asks which of two columns is %s", async (what, headings, row, names) => {
    const refusal = await catchRefusal(readTransfers(csv([headings, row]), "a.csv"));
    expect(refusal).toMatchObject({
      code: "sheet_unclear_columns",
      message: `A planilha tem 2 colunas que podem ser ${what}: ${names}. Escolha qual vale.`,
    });
  });

  it("asks about three columns of dates, and reads the one that was chosen", async () => {
    const sheet = csv([
      "Chave Pix;Valor;Data;Vencimento;Pagar em",
      "a@b.com;1,00;20/11/2026;30/11/2026;25/11/2026",
    ]);
    const refusal = await catchRefusal(readTransfers(sheet, "a.csv"));
    expect(refusal.message).toBe(
      "A planilha tem 3 colunas que podem ser a data do pagamento: Data, Vencimento e Pagar em. Escolha qual vale.",
    );
    const chosen = { 2: null, 3: "paymentDate", 4: null } as const;
    const read = await openSheet(sheet, "a.csv", { hints: { chosen } });
    const [row] = (await gather(read.transfers())).flat();
    expect(row?.draft.paymentDate).toBe("2026-11-30");
    // A company that assigned the columns before is not asked again.
    const remembered = { [read.headings.layout.key]: { ...chosen, 3: null, 4: "paymentDate" } as const };
    const again = await openSheet(sheet, "a.csv", { hints: { remembered } });
    expect((await gather(again.transfers())).flat()[0]?.draft.paymentDate).toBe("2026-11-25");
  });

  it("IMP-014 refuses headings without a payment below", async () => {
    const refusal = await catchRefusal(readTransfers(inlineWorkbook([pixHeadings, ["", " "]])));
    expect(refusal).toMatchObject({
      code: "sheet_without_items",
      message: "A planilha não contém nenhum item",
    });
  });

  it("accepts the last allowed row and refuses one more", async () => {
    const limits = { ...sheetLimits, rowsMax: 3 };
    const rows = [pixHeadings, pixRow, pixRow, pixRow];
    expect(await readTransfers(inlineWorkbook(rows), "a.xlsx", limits)).toHaveLength(3);
    const refusal = await catchRefusal(readTransfers(inlineWorkbook([...rows, pixRow]), "a.xlsx", limits));
    expect(refusal.message).toContain("mais de 3 linhas");
  });

  it("refuses a million rows and reads past a million empty ones", async () => {
    const fetchOutcome = (rows: string) =>
      readTransfers(buildWorkbook({ sheets: [{ xml: worksheet(inlineRow(1, pixHeadings) + rows) }] })).then(
        ({ length }) => `${length} rows`,
        (error: unknown) => (error instanceof SheetRefusal ? error.code : String(error)),
      );
    const row = '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>';
    expect(await fetchOutcome(row.repeat(1_000_000))).toMatch(/^sheet_(too_many_rows|unsafe)$/);
    const empty = '<row r="3" spans="1:3" ht="15"/>'.repeat(1_000_000);
    expect(await fetchOutcome(inlineRow(2, pixRow) + empty)).toMatch(/^1 rows$|^sheet_unsafe$/);
  });

  it.each([
    ["letters", "a", "sheet_wrong_format"],
    ["quotes", '"', "sheet_wrong_format"],
    ["separators", ";", "sheet_wrong_format"],
    ["line ends", "\n", "sheet_too_many_rows"],
  ])("searches thirty megabytes of %s for headings, and gives up", async (_, sign, code) => {
    const bytes = Buffer.alloc(30 * 1024 * 1024, sign);
    expect((await catchRefusal(readTransfers(bytes, "a.csv"))).code).toBe(code);
  });

  it("reports refusals of the file reader with the screen's sentences", async () => {
    const limits = { ...sheetLimits, linesMax: 3, fileBytesMax: 2 * 1024 * 1024 };
    const table = (lines: number) => csv([pixHeadings.join(";"), ...Array(lines).fill(pixRow.join(";"))]);
    const refusalOfTable = (bytes: Buffer) => catchRefusal(readTransfers(bytes, "a.csv", limits));
    expect(await readTransfers(table(2), "a.csv", limits)).toHaveLength(2);
    expect(await refusalOfTable(table(5))).toMatchObject({
      code: "sheet_too_many_rows",
      message: "A planilha tem mais de 100.000 linhas. Divida em arquivos menores e importe um de cada vez.",
    });
    expect(await refusalOfTable(Buffer.alloc(2 * 1024 * 1024 + 1))).toMatchObject({
      code: "sheet_too_large",
      message: "O arquivo é grande demais. O limite é de 2 MB.",
    });
    const xml = worksheet(inlineRow(1, pixHeadings) + inlineRow(2, pixRow));
    const [sheet, ...others] = workbookParts({ sheets: [{ xml }] }).reverse();
    // The refusal comes with the last rows.
    const lying = buildZip([{ name: "", content: "", ...sheet, claimedBytes: 100 }, ...others]);
    expect((await catchRefusal(readTransfers(lying))).code).toBe("sheet_unsafe");
  });

  it("distinguishes a password from an old Excel file", async () => {
    const container = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(512)]);
    expect((await catchRefusal(openSheet(container, "a.xlsx"))).code).toBe("sheet_old_excel");
    const wrapped = Buffer.concat([container, Buffer.from("EncryptedPackage", "utf16le")]);
    expect((await catchRefusal(openSheet(wrapped, "a.xlsx"))).code).toBe("sheet_encrypted");
  });

  it("stops when it is cancelled", async () => {
    const cancel = new AbortController();
    const sheet = await openSheet(inlineWorkbook([pixHeadings, pixRow]), "a.xlsx", { signal: cancel.signal });
    cancel.abort();
    expect((await catchRefusal(gather(sheet.transfers()))).code).toBe("sheet_cancelled");
  });
});
