import { receiptExports } from "@malote/domain/limits";
import * as z from "zod";
import { contract } from "./contract.ts";
import { everyProfile } from "./policy.ts";
import { byId, id, instant } from "./wire.ts";

export const downloadReceipt = contract({
  id: "downloadReceipt",
  base: "payments",
  method: "GET",
  path: "/app/transfer/:id/receipt",
  summary: "Baixar o comprovante de uma transferência paga (PDF)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});

export const downloadBankReceipt = contract({
  id: "downloadBankReceipt",
  base: "payments",
  method: "GET",
  path: "/app/transfer/:id/bankReceipt",
  summary: "Baixar o comprovante do banco de um pagamento que chegou (PDF)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});

const idsOfReceipts = z.object({ ids: z.array(id).min(1).max(receiptExports.inOneFileMax) });

export const requestReceipts = contract({
  id: "requestReceipts",
  base: "payments",
  method: "POST",
  path: "/app/transfer/downloadReceipts",
  summary: "Pedir os comprovantes de uma lista de transferências ou de um lote; o link vai por e-mail",
  // A machine credential has no e-mail address for the link. It reads each payment's receipt_url.
  policy: { ...everyProfile, machine: false },
  body: z.union([
    /** Payments without a receipt are omitted, because they have no file. */
    idsOfReceipts,
    z.object({ batch_id: id }),
  ]),
  bodyBytesMax: 5_000_000,
  response: z.object({ id, receipts_count: z.int() }),
});

export const requestBoletoReceipts = contract({
  id: "requestBoletoReceipts",
  base: "payments",
  method: "POST",
  path: "/app/billet/downloadReceipts",
  summary: "Pedir os comprovantes de uma lista de boletos; o link vai por e-mail",
  policy: { ...everyProfile, machine: false },
  body: idsOfReceipts,
  bodyBytesMax: 5_000_000,
  response: z.object({ id, receipts_count: z.int() }),
});

export const receiptsStates = ["making", "ready", "failed", "expired"] as const;

export const readReceipts = contract({
  id: "readReceipts",
  base: "payments",
  method: "GET",
  path: "/app/receipts/:id",
  summary: "Andamento de um pedido de comprovantes",
  policy: everyProfile,
  params: byId,
  response: z.object({
    id,
    state: z.enum(receiptsStates),
    receipts_count: z.int(),
    /** The batch whose receipts were requested; null for single payments. */
    batch: z.object({ id, name: z.string() }).nullable(),
    requested_at: instant,
    expires_at: instant,
  }),
});

export const downloadReceipts = contract({
  id: "downloadReceipts",
  base: "payments",
  method: "GET",
  path: "/app/receipts/:id/file",
  summary: "Baixar os comprovantes pedidos (ZIP com um PDF por pagamento)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});
