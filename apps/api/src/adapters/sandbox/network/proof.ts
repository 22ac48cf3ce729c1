/** Draws the network's proof that an order arrived: one page, always with the same bytes. */
import { cents, formatBrl } from "@malote/domain/money";
import PDFDocument from "pdfkit";
import type { PaymentOrder } from "../../../ports/rails.ts";

const network = "Rede de testes";

export function drawProof(order: PaymentOrder, at: Date): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: "A4",
    margin: 56,
    lang: "pt-BR",
    info: { Title: "Comprovante do banco", Author: network, CreationDate: at, ModDate: at },
  });
  const pieces: Buffer[] = [];
  const drawn = new Promise<Uint8Array>((resolve, reject) => {
    pdf.on("data", (piece: Buffer) => pieces.push(piece));
    pdf.on("end", () => resolve(Buffer.concat(pieces)));
    pdf.on("error", reject);
  });
  pdf.fontSize(16).text(network).moveDown();
  pdf.fontSize(11);
  for (const [label, text] of linesOf(order, at)) pdf.text(`${label}: ${text}`);
  pdf.end();
  return drawn;
}

/** Orders of earlier releases are stored without the digit. */
const agencyOf = ({ agency, agencyDigit }: PaymentOrder["receiver"]) =>
  agencyDigit ? `${agency}-${agencyDigit}` : agency;

const linesOf = ({ method, value, endToEndId, payer, receiver, boleto }: PaymentOrder, at: Date) =>
  (
    [
      ["Operação", method],
      ["Valor", formatBrl(cents(value))],
      ["Liquidada em", at.toISOString()],
      ["Identificador", endToEndId],
      ["Pagador", payer.taxId],
      ["Chave Pix", receiver.pixKey],
      [
        "Conta",
        receiver.account &&
          `${receiver.bankIspb} ${agencyOf(receiver)} ${receiver.account}-${receiver.accountDigit}`,
      ],
      ["Código de barras", boleto?.barcode],
    ] as const
  ).flatMap(([label, text]) => (text ? [[label, text] as const] : []));
