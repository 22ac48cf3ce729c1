/** Receipts of incoming money and of refunds, generated from their rows on request (PAY-020, PAY-033). */
import type { downloadPayinReceipt, downloadRefundReceipt } from "@malote/contracts/payins";
import { payinReceiptOf, type ReceivedPayin, refundReceiptOf } from "@malote/domain/payin-receipt";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { readIssuer, sendPage } from "../receipts/index.ts";
import { hasReceipt } from "./present.ts";
import { getPayin } from "./read.ts";
import { findRefund } from "./refund-store.ts";
import type { ShownPayin } from "./store.ts";

const printedOf = (row: ShownPayin): ReceivedPayin => ({
  id: row.id,
  type: row.payment_type,
  amount: row.amount,
  originalAmount: row.original_amount,
  // The receipt of a card sale has the date of the sale; the money comes later.
  at: (row.payment_type === "credit_card" ? row.charged_at : row.received_at) ?? row.created_at,
  payerName: row.payer_name,
  payerTaxId: row.payer_tax_id,
  endToEndId: row.end_to_end_id,
  txid: row.txid,
  pixKey: row.details.pix_key ?? null,
  message: row.details.message ?? null,
  digitableLine: row.details.digitable_line ?? null,
  dueDate: row.details.due_date ?? null,
  installments: row.details.installments ?? null,
  authorizationCode: row.details.authorization_code ?? null,
  linkName: row.link?.name ?? null,
});

async function readPrinted(tx: Tx, id: string) {
  const [issuer, row] = await Promise.all([readIssuer(tx), getPayin(tx, id)]);
  if (!hasReceipt(row)) throw new AppError("receipt_missing");
  return { issuer, row, payin: printedOf(row) };
}

export async function downloadOfPayin(
  services: Pick<Services, "db" | "secrets">,
  { params, actor, reply }: Call<typeof downloadPayinReceipt>,
) {
  const { issuer, payin } = await services.db.readCompany(actor.companyId, (tx) =>
    readPrinted(tx, params.id),
  );
  const { id, amount, at, endToEndId, payerTaxId } = payin;
  return sendPage(services, reply, {
    brand: issuer.brand,
    receipt: payinReceiptOf(issuer.payer, payin),
    at,
    facts: ["payin", actor.companyId, id, amount, at.toISOString(), endToEndId, payerTaxId],
    name: payin.payerName,
  });
}

export async function downloadOfRefund(
  services: Pick<Services, "db" | "secrets">,
  { params, actor, reply }: Call<typeof downloadRefundReceipt>,
) {
  const { issuer, payin, refund } = await services.db.readCompany(actor.companyId, async (tx) => {
    const printed = await readPrinted(tx, params.id);
    const refund = await findRefund(tx, params.refund_id);
    if (refund?.payin_id !== params.id) throw new AppError("not_found");
    if (refund.status !== "succeeded") throw new AppError("receipt_missing");
    return { ...printed, refund };
  });
  const { id, amount, nature, created_at, finished_at } = refund;
  const at = finished_at ?? created_at;
  return sendPage(services, reply, {
    brand: issuer.brand,
    receipt: refundReceiptOf(issuer.payer, payin, { id, amount, nature, at }),
    at,
    facts: ["payin refund", actor.companyId, id, amount, at.toISOString(), payin.endToEndId],
    name: payin.payerName,
  });
}
