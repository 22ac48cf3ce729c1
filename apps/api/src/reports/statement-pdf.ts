/** The statement on A4 pages, drawn slice by slice; a finished page leaves memory with its bytes. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { statementEntryNames } from "@malote/domain/statement-text";
import { formatTaxId } from "@malote/domain/tax-id";
import PDFDocument from "pdfkit";
import { mailBrands } from "../platform/mail/email-text.ts";
import { printable } from "../receipts/index.ts";
import type { NumberedEntry } from "../statement/index.ts";
import { amountText, payeeOf, type StatementSource } from "./statement-source.ts";

type Pdf = InstanceType<typeof PDFDocument>;

const ink = "#14201b";
const quiet = "#4a5851";
const rule = "#dfe4e1";
const regular = "Helvetica";
const bold = "Helvetica-Bold";
const page = { width: 595.28, height: 841.89, margin: 40 };
const inner = page.width - 2 * page.margin;
const rowHeight = 17;
const lastRowAt = page.height - 64;
/** Rows drawn before the event loop gets a turn. */
const rowsInATurn = 100;

const columns = [
  { title: "Data", at: 0, width: 58, isAmount: false },
  { title: "Descrição", at: 58, width: 232, isAmount: false },
  { title: "Status", at: 290, width: 65, isAmount: false },
  { title: "Valor (R$)", at: 355, width: 78, isAmount: true },
  { title: "Saldo (R$)", at: 433, width: inner - 433, isAmount: true },
];

export async function* pdfPieces(source: StatementSource): AsyncGenerator<Uint8Array> {
  const { issuer, from, to, opening, closing, now, slices } = source;
  const brand = mailBrands[issuer.brand];
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: "pt-BR",
    displayTitle: true,
    info: {
      Title: `Extrato de ${formatDate(from)} a ${formatDate(to)}`,
      Author: brand.name,
      Creator: brand.name,
      Producer: brand.name,
      CreationDate: now,
      ModDate: now,
    },
  });
  let made: Buffer[] = [];
  pdf.on("data", (piece: Buffer) => made.push(piece));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  const take = () => {
    const pieces = made;
    made = [];
    return pieces;
  };

  let pageNumber = 1;
  let y = drawHead(pdf, source);
  drawFoot(pdf, brand.name, pageNumber);
  const row = (cells: readonly string[], isStrong = false) => {
    if (y > lastRowAt) {
      pdf.addPage();
      pageNumber += 1;
      drawFoot(pdf, brand.name, pageNumber);
      y = drawHeadings(pdf, page.margin);
    }
    y = drawRow(pdf, cells, y, isStrong);
  };

  row([formatDate(from), "Saldo de abertura", "", "", amountText(opening)], true);
  for await (const slice of slices) {
    for (let start = 0; start < slice.length; start += rowsInATurn) {
      for (const entry of slice.slice(start, start + rowsInATurn)) row(cellsOf(entry));
      await nextTurn();
      yield* take();
    }
  }
  row([formatDate(to), "Saldo de fechamento", "", "", amountText(closing)], true);
  pdf.end();
  await ended;
  yield* take();
}

const cellsOf = (entry: NumberedEntry): string[] => [
  formatDate(entry.date as CalendarDate),
  // The column cuts a long text at its end.
  [payeeOf(entry)?.name, entry.description].filter(Boolean).join(" · "),
  statementEntryNames[entry.type],
  amountText(entry.value),
  amountText(entry.balance),
];

function drawHead(pdf: Pdf, { issuer, from, to }: StatementSource): number {
  const { name, light } = mailBrands[issuer.brand];
  const { payer } = issuer;
  pdf.rect(0, 0, page.width, 6).fill(light.brand);
  pdf.font(bold).fontSize(15).fillColor(light.brand).text(name, page.margin, 34, { lineBreak: false });
  pdf
    .font(regular)
    .fontSize(10)
    .fillColor(quiet)
    .text(`Extrato de ${formatDate(from)} a ${formatDate(to)}`, page.margin, 38, {
      width: inner,
      align: "right",
      lineBreak: false,
    });
  pdf
    .font(bold)
    .fontSize(11)
    .fillColor(ink)
    .text(fitting(pdf, printable(payer.name), inner), page.margin, 68, { lineBreak: false });
  pdf
    .font(regular)
    .fontSize(9)
    .fillColor(quiet)
    .text(
      `CNPJ ${formatTaxId(payer.taxId)}   Agência ${payer.agency}   Conta ${payer.account}-${payer.accountDigit}`,
      page.margin,
      84,
      { lineBreak: false },
    );
  return drawHeadings(pdf, 112);
}

function drawHeadings(pdf: Pdf, y: number): number {
  pdf.font(bold).fontSize(8.5).fillColor(quiet);
  for (const { title, at, width, isAmount } of columns)
    pdf.text(title, page.margin + at, y, { width, align: isAmount ? "right" : "left", lineBreak: false });
  hairline(pdf, y + 13);
  return y + 18;
}

function drawRow(pdf: Pdf, cells: readonly string[], y: number, isStrong: boolean): number {
  pdf
    .font(isStrong ? bold : regular)
    .fontSize(8.5)
    .fillColor(ink);
  columns.forEach(({ at, width, isAmount }, index) => {
    const text = fitting(pdf, printable(cells[index] ?? ""), width - 6);
    pdf.text(text, page.margin + at, y, { width, align: isAmount ? "right" : "left", lineBreak: false });
  });
  hairline(pdf, y + 12);
  return y + rowHeight;
}

/** Cuts a text to a drawn width, which its number of characters does not determine. */
function fitting(pdf: Pdf, text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text;
  let end = Math.min(text.length, Math.ceil(width / 2));
  while (end > 0 && pdf.widthOfString(`${text.slice(0, end)}…`) > width) end -= 1;
  return `${text.slice(0, end)}…`;
}

function drawFoot(pdf: Pdf, brandName: string, pageNumber: number): void {
  pdf.font(regular).fontSize(8).fillColor(quiet);
  pdf.text(`Emitido pelo ${brandName}`, page.margin, page.height - 34, { lineBreak: false });
  pdf.text(`Página ${pageNumber}`, page.margin, page.height - 34, {
    width: inner,
    align: "right",
    lineBreak: false,
  });
}

function hairline(pdf: Pdf, y: number): void {
  pdf
    .moveTo(page.margin, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.5)
    .stroke(rule);
}
