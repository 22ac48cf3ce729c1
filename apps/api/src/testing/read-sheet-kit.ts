/** Writes and reads sheets of transfers in tests. */
import { buildWorkbook, gather, inlineRow, worksheet } from "@malote/sheet-reader/testing-workbook";
import { sheetLimits } from "../payouts/import/sheet/limits.ts";
import { openSheet } from "../payouts/import/sheet/read-sheet.ts";

export const pixHeadings = ["Nome", "Tipo de chave Pix", "Chave Pix", "Valor", "Data", "Descrição Pix", "ID"];

export const pixRow = ["Ana Lima", "EMAIL", "ana@exemplo.com.br", "10,50", "", "", ""];

export async function readTransfers(bytes: Buffer, fileName = "planilha.xlsx", limits = sheetLimits) {
  const sheet = await openSheet(bytes, fileName, { limits });
  return (await gather(sheet.transfers())).flat();
}

export const csv = (lines: string[]) => Buffer.from(lines.join("\n"));

export const oneXlsxRow = (cells: string) =>
  buildWorkbook({
    strings: [
      "<t>Ana Lima</t>",
      "<r><t>ana@</t></r><r><rPr><b/></rPr><t>exemplo.com.br</t></r><rPh><t>x</t></rPh>",
    ],
    formats: ["dd/mm/yyyy", 14, '"R$" #,##0.00', "[h]:mm"],
    sheets: [{ xml: worksheet(inlineRow(1, pixHeadings) + cells) }],
  });
