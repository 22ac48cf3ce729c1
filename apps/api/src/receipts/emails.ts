/** What Malote writes to whoever asked for receipts. */
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { firstName } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { ReceiptRequest } from "./store.ts";

const number = new Intl.NumberFormat("pt-BR");

/** The link opens only for somebody of the company who is signed in: a letter may be read by others. */
export async function emailReceiptsReady(tx: Tx, parts: Parts, request: ReceiptRequest): Promise<void> {
  if (!request.asked_by_email) return;
  await queueMail(tx, parts.jobs, {
    to: request.asked_by_email,
    subject: request.batch_name
      ? `Os comprovantes do lote ${request.batch_name} estão prontos`
      : "Seus comprovantes estão prontos",
    letter: {
      greeting: `Olá, ${firstName(request.asked_by_name)}!`,
      paragraphs: ["Os comprovantes que você pediu estão prontos: um arquivo ZIP com um PDF por pagamento."],
      facts: [
        ...(request.batch_name ? [{ label: "Lote", value: request.batch_name }] : []),
        { label: "Comprovantes", value: number.format(request.receipts_count) },
        { label: "Disponível até", value: formatDate(saoPauloDate(request.expires_at)) },
      ],
      button: {
        label: "Baixar comprovantes",
        url: `${parts.config.publicUrl}/pagamentos/lotes?comprovantes=${request.id}`,
      },
    },
    now: parts.clock.now(),
  });
}

export async function emailReceiptsFailed(tx: Tx, parts: Parts, request: ReceiptRequest): Promise<void> {
  if (!request.asked_by_email) return;
  await queueMail(tx, parts.jobs, {
    to: request.asked_by_email,
    subject: "Não foi possível preparar seus comprovantes",
    letter: {
      greeting: `Olá, ${firstName(request.asked_by_name)}!`,
      paragraphs: [
        "Não foi possível preparar os comprovantes que você pediu. Confira se os pagamentos ainda estão como transferidos e peça de novo.",
      ],
      facts: request.batch_name ? [{ label: "Lote", value: request.batch_name }] : [],
      button: {
        label: "Abrir seus lotes",
        url: `${parts.config.publicUrl}/pagamentos/lotes${request.batch_id ? `?lote=${request.batch_id}` : ""}`,
      },
    },
    now: parts.clock.now(),
  });
}
