/** One payment's receipt as a file, made from its row at this moment. */
import type { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import type { Receipt } from "@malote/domain/receipt";
import type { FastifyReply } from "fastify";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { plainFileName } from "../platform/files/file-name.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { connectionOf } from "../ports/connections.ts";
import type { MailAttachment } from "../ports/mailer.ts";
import { type Issuer, readIssuer, sealOf, sealPayment } from "./printed.ts";
import { findPaid, transferExists } from "./store.ts";

export const downloadOne = (parts: Parts, { params, actor, reply }: Call<typeof downloadReceipt>) =>
  sendReceipt(parts, actor.companyId, params.id, reply);

export const downloadOfBank = (parts: Parts, { params, actor, reply }: Call<typeof downloadBankReceipt>) =>
  sendBankReceipt(parts, actor.companyId, params.id, reply);

/** The network's own document of a payment of the company that arrived: asked for now, kept nowhere. */
export async function sendBankReceipt(
  parts: Parts,
  companyId: string,
  transferId: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, endToEndId, connection } = await parts.db.readCompany(companyId, (tx) =>
    paidOr404(tx, transferId),
  );
  // The network knows a payment by this id alone.
  if (endToEndId === null) throw new AppError("bank_receipt_missing");
  const rails = connectionOf(parts, connection);
  if (!rails) throw new AppError("bank_receipt_unavailable");
  const document = await rails.proof(endToEndId).catch((error: unknown) => {
    parts.log.warn({ company: companyId, payment: transferId, error }, "the network gave no proof");
    throw new AppError("bank_receipt_unavailable");
  });
  if (!document) throw new AppError("bank_receipt_missing");
  const fileName = plainFileName(`Comprovante do banco ${name ?? ""}`, "Comprovante do banco");
  return sendFile(reply, { name: `${fileName}.pdf`, type: fileTypes.pdf, content: document });
}

async function paidOr404(tx: Tx, transferId: string) {
  const transfer = await findPaid(tx, transferId);
  if (!transfer) throw new AppError((await transferExists(tx, transferId)) ? "receipt_missing" : "not_found");
  return transfer;
}

/** Draws the receipt of a payment of the company and answers with it. */
export async function sendReceipt(
  parts: Parts,
  companyId: string,
  transferId: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { fileName, contentType, content } = await receiptAttachment(parts, companyId, transferId);
  return sendFile(reply, { name: fileName, type: contentType, content });
}

/** The receipt of a payment of the company that arrived, drawn at this moment; refused for any other payment. */
export async function receiptAttachment(
  parts: Pick<Parts, "db" | "secrets">,
  companyId: string,
  transferId: string,
): Promise<MailAttachment> {
  const { issuer, transfer } = await parts.db.withCompany(companyId, async (tx) => {
    const transfer = await paidOr404(tx, transferId);
    return { issuer: await readIssuer(tx), transfer };
  });
  // Loaded with the first receipt: a start does without it.
  const { drawReceipt } = await import("./draw-receipt.ts");
  const content = await drawReceipt(issuer, sealPayment(parts, companyId, transfer));
  const name = plainFileName(`Comprovante ${transfer.name ?? ""}`, "Comprovante");
  return { fileName: `${name}.pdf`, contentType: fileTypes.pdf, content };
}

/** A receipt that another feature words: of money received, say. `facts` never change once the money moved. */
export async function sendPage(
  { secrets }: Pick<Parts, "secrets">,
  reply: FastifyReply,
  page: {
    brand: Issuer["brand"];
    receipt: Receipt;
    at: Date;
    facts: readonly unknown[];
    name: string | null;
  },
): Promise<FastifyReply> {
  const { drawPage } = await import("./draw-receipt.ts");
  const { brand, receipt, at, facts, name } = page;
  const content = await drawPage(brand, receipt, { authenticity: sealOf(secrets, facts), at });
  const fileName = plainFileName(`${receipt.title} ${name ?? ""}`, "Comprovante");
  return sendFile(reply, { name: `${fileName}.pdf`, type: fileTypes.pdf, content });
}
