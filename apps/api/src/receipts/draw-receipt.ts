/** Draws a receipt on one A4 page from its rows alone: always the same bytes, on any machine and in any time zone. */
import type { BrandId } from "@malote/domain/brands";
import { type Receipt, receiptOf } from "@malote/domain/receipt";
import PDFDocument from "pdfkit";
import { mailBrands } from "../platform/mail/email-text.ts";
import { printable } from "./printable.ts";
import type { Issuer, SealedPayment } from "./printed.ts";

/** Drawings of the brands, in a square of 24. */
const marks: Readonly<Record<BrandId, string>> = {
  malote: "M4 7h16v12H4zM8 7V4h8v3M4 12h16",
  horizonte: "M3 17h18M7 17a5 5 0 0 1 10 0M12 5v3M4.5 9.5l2 1.6M19.5 9.5l-2 1.6M8 21h8",
};

const ink = "#14201b";
const quiet = "#4a5851";
const rule = "#dfe4e1";
const regular = "Helvetica";
const bold = "Helvetica-Bold";

const page = { width: 595.28, height: 841.89, margin: 56 };
const inner = page.width - 2 * page.margin;
const labelWidth = 150;
const textAt = page.margin + labelWidth;
const textWidth = inner - labelWidth;
/** Maximum number of lines of a user's text; a receipt whose texts all have this length fills exactly one page. */
const linesMax = 3;
const rowGap = 5.5;

type Pdf = InstanceType<typeof PDFDocument>;

export const drawReceipt = (
  { brand, payer }: Issuer,
  { paid, authenticity }: SealedPayment,
): Promise<Buffer> => drawPage(brand, receiptOf(payer, paid), { authenticity, at: paid.paidAt });

/** Draws a page. `at` is the time at which the money moved. */
export function drawPage(
  brandId: BrandId,
  receipt: Receipt,
  { authenticity, at }: { authenticity: string; at: Date },
): Promise<Buffer> {
  const brand = mailBrands[brandId];
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: "pt-BR",
    displayTitle: true,
    info: {
      Title: `${receipt.title} de ${receipt.value}`,
      Author: brand.name,
      Creator: brand.name,
      Producer: brand.name,
      // Uses the time of the payment, so that a repeated drawing has the same bytes.
      CreationDate: at,
      ModDate: at,
    },
  });
  const pieces: Buffer[] = [];
  const drawn = new Promise<Buffer>((resolve, reject) => {
    pdf.on("data", (piece: Buffer) => pieces.push(piece));
    pdf.on("end", () => resolve(Buffer.concat(pieces)));
    pdf.on("error", reject);
  });
  const top = drawHead(pdf, brandId, receipt);
  const end = receipt.sections.reduce((y, section) => drawSection(pdf, section, y), top);
  drawFoot(pdf, brand.name, authenticity, end);
  pdf.end();
  return drawn;
}

function drawHead(pdf: Pdf, brandId: BrandId, receipt: Receipt): number {
  const { name, light } = mailBrands[brandId];
  pdf.rect(0, 0, page.width, 8).fill(light.brand);
  pdf.roundedRect(page.margin, 44, 30, 30, 7).fill(light.brand);
  pdf
    .save()
    .translate(page.margin + 5, 49)
    .scale(20 / 24)
    .path(marks[brandId])
    .lineWidth(1.9)
    .lineCap("round")
    .lineJoin("round")
    .stroke(light.onBrand)
    .restore();
  pdf
    .font(bold)
    .fontSize(15)
    .fillColor(ink)
    .text(name, page.margin + 40, 53, { lineBreak: false });
  pdf.font(regular).fontSize(11).fillColor(quiet).text(receipt.title, page.margin, 54, {
    width: inner,
    align: "right",
    lineBreak: false,
  });
  pdf
    .font(regular)
    .fontSize(10.5)
    .fillColor(quiet)
    .text(receipt.valueLabel, page.margin, 108, { lineBreak: false });
  pdf.font(bold).fontSize(30).fillColor(ink).text(receipt.value, page.margin, 124, { lineBreak: false });
  pdf
    .font(regular)
    .fontSize(10.5)
    .fillColor(quiet)
    .text(receipt.paidAt, page.margin, 164, { lineBreak: false });
  return 204;
}

function drawSection(pdf: Pdf, { heading, lines }: Receipt["sections"][number], from: number): number {
  hairline(pdf, from);
  pdf
    .font(bold)
    .fontSize(11.5)
    .fillColor(ink)
    .text(heading, page.margin, from + 16, { lineBreak: false });
  let y = from + 40;
  for (const { label, text } of lines) {
    pdf.font(regular).fontSize(10).fillColor(quiet).text(label, page.margin, y, { lineBreak: false });
    pdf.font(regular).fontSize(10).fillColor(ink);
    y += drawText(pdf, printable(text), y) + rowGap;
  }
  return y + 11;
}

/** Draws a text and returns its height. */
function drawText(pdf: Pdf, text: string, y: number): number {
  const height = pdf.currentLineHeight(true) * linesMax;
  pdf.text(text, textAt, y, { width: textWidth, height, ellipsis: "…" });
  return Math.max(pdf.y - y, pdf.currentLineHeight(true));
}

function drawFoot(pdf: Pdf, brandName: string, authenticity: string, from: number): void {
  hairline(pdf, from);
  pdf
    .font(regular)
    .fontSize(9)
    .fillColor(quiet)
    .text("Código de autenticação", page.margin, from + 16, {
      lineBreak: false,
    });
  pdf
    .font(regular)
    .fontSize(9)
    .text(`Emitido pelo ${brandName}`, page.margin, from + 16, {
      width: inner,
      align: "right",
      lineBreak: false,
    });
  pdf
    .font(bold)
    .fontSize(10)
    .fillColor(ink)
    .text(authenticity, page.margin, from + 30, { lineBreak: false });
}

function hairline(pdf: Pdf, y: number): void {
  pdf
    .moveTo(page.margin, y)
    .lineTo(page.width - page.margin, y)
    .lineWidth(0.75)
    .stroke(rule);
}
