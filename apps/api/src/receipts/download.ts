/** Receipt of one payment as a file, generated from its row. */
import type { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import type { Receipt } from "@malote/domain/receipt";
import type { FastifyReply } from "fastify";
import { findBatchOfPayment, listKnownOrders } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { plainFileName } from "../platform/files/file-name.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import type { MailAttachment } from "../ports/mailer.ts";
import { type Issuer, readIssuer, sealOf, sealPayment } from "./printed.ts";
import { findPaid } from "./store.ts";

export const downloadOne = (services: Services, { params, actor, reply }: Call<typeof downloadReceipt>) =>
  sendReceipt(services, actor.companyId, params.id, reply);

export const downloadOfBank = (
  services: Services,
  { params, actor, reply }: Call<typeof downloadBankReceipt>,
) => sendBankReceipt(services, actor.companyId, params.id, reply);

/** Sends the network's own document of a payment that arrived; requests it now and does not store it. */
export async function sendBankReceipt(
  services: Services,
  companyId: string,
  transferId: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, connection, order } = await services.db.readCompany(companyId, async (tx) => {
    const paid = await getPaid(tx, transferId);
    const [order] = paid.endToEndId === null ? [] : await listKnownOrders(tx, [paid.endToEndId]);
    return { ...paid, order };
  });
  // Without an order the network cannot find the payment, neither by key nor by its own numbers.
  if (!order) throw new AppError("bank_receipt_missing");
  const rails = connectionOf(services, connection);
  if (!rails) throw new AppError("bank_receipt_unavailable");
  const document = await rails.proof(order).catch((error: unknown) => {
    services.log.warn(
      { company: companyId, payment: transferId, error },
      "the network did not return a bank receipt",
    );
    throw new AppError("bank_receipt_unavailable");
  });
  if (!document) throw new AppError("bank_receipt_missing");
  const fileName = plainFileName(`Comprovante do banco ${name ?? ""}`, "Comprovante do banco");
  return sendFile(reply, { name: `${fileName}.pdf`, type: fileTypes.pdf, content: document });
}

async function getPaid(tx: Tx, transferId: string) {
  const payment = await findPaid(tx, transferId);
  if (!payment)
    throw new AppError((await findBatchOfPayment(tx, transferId)) ? "receipt_missing" : "not_found");
  return payment;
}

/** Draws and sends the receipt of a payment of the company. */
export async function sendReceipt(
  services: Services,
  companyId: string,
  transferId: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { fileName, contentType, content } = await readReceiptAttachment(services, companyId, transferId);
  return sendFile(reply, { name: fileName, type: contentType, content });
}

/** Returns the receipt of a payment that arrived, generated now; refuses any other payment. */
export async function readReceiptAttachment(
  services: Pick<Services, "db" | "secrets">,
  companyId: string,
  transferId: string,
): Promise<MailAttachment> {
  const { issuer, payment } = await services.db.withCompany(companyId, async (tx) => {
    const payment = await getPaid(tx, transferId);
    return { issuer: await readIssuer(tx), payment };
  });
  // Loaded lazily with the first receipt: a start does not need it.
  const { drawReceipt } = await import("./draw-receipt.ts");
  const content = await drawReceipt(issuer, sealPayment(services, companyId, payment));
  const name = plainFileName(`Comprovante ${payment.name ?? ""}`, "Comprovante");
  return { fileName: `${name}.pdf`, contentType: fileTypes.pdf, content };
}

/**
 * Sends a receipt with another feature's text, such as that of received money. `facts` must never change after the
 * money moved.
 */
export async function sendPage(
  { secrets }: Pick<Services, "secrets">,
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
