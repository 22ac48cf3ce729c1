/** Title and target of each notification. */
import type { NotificationItem } from "@malote/contracts/notifications";
import { shownPixKey } from "@malote/domain/pix-key";
import { batchAddress, pathOf } from "../shell/routes.ts";
import { counted, cutText, formatMoney } from "../ui/format.ts";

export interface NotificationWords {
  title: string;
  detail: string | null;
  to: string;
  tone: "good" | "bad" | "plain";
}

const nameMax = 60;

export function wordsOf({ kind, batch, by, amount, about, object_id }: NotificationItem): NotificationWords {
  const lote = batch ? `o lote “${cutText(batch.name, nameMax)}”` : "um lote que foi excluído";
  const atBatch = batch ? batchAddress(batch.id) : pathOf("BatchesPage");
  const money = amount === null ? "" : ` de ${formatMoney(amount)}`;
  const from = about ? ` de ${cutText(about, nameMax)}` : "";
  const someone = by ?? "O sistema";
  switch (kind) {
    case "batch.approved":
      return { title: `${someone} aprovou ${lote}`, detail: null, to: atBatch, tone: "good" };
    case "batch.closed":
      return { title: `${someone} fechou ${lote}`, detail: null, to: atBatch, tone: "plain" };
    case "batch.cancelled":
      return { title: `${someone} cancelou ${lote}`, detail: null, to: atBatch, tone: "plain" };
    case "batch.rejected":
      return { title: `${someone} reprovou ${lote}`, detail: about, to: atBatch, tone: "bad" };
    case "batch.sent_back":
      return { title: `Voltou para edição: ${lote}`, detail: about, to: atBatch, tone: "bad" };
    case "batch.settled": {
      const failed = batch?.failed_count ?? 0;
      const paid = counted(batch?.paid_count ?? 0, "pagamento feito", "pagamentos feitos");
      return failed > 0
        ? {
            title: `Terminou ${lote}, com ${counted(failed, "falha", "falhas")}`,
            detail: paid,
            to: atBatch,
            tone: "bad",
          }
        : { title: `Terminou ${lote}`, detail: batch && paid, to: atBatch, tone: "good" };
    }
    case "payment.returned":
      return { title: `Devolvido ao saldo: pagamento${money}`, detail: about, to: atBatch, tone: "bad" };
    case "payin.doubled":
      return {
        title: `Recebido em dobro: pagamento${money}${from}`,
        detail: "Confira e devolva se for o caso",
        to: `${pathOf("ReceivablesPage")}?recebimento=${object_id}`,
        tone: "bad",
      };
    case "infraction.reported":
      return {
        title: `Contestação${money}${from}`,
        detail: null,
        to: pathOf("InfractionPage").replace("$infractionId", object_id),
        tone: "bad",
      };
    case "pix_key.asked_for":
      return {
        title: `Outra instituição pediu a chave ${shownPixKey(about ?? "")}`,
        detail: null,
        to: `${pathOf("PaymentsBankAccountsPage")}?chave=${object_id}`,
        tone: "bad",
      };
    case "pix_key.lost":
      return {
        title: `A chave ${shownPixKey(about ?? "")} passou para outra instituição`,
        detail: null,
        to: pathOf("PaymentsBankAccountsPage"),
        tone: "bad",
      };
    case "approval.given":
      return {
        title: `${someone} aprovou um pedido`,
        detail: null,
        to: pathOf("ApprovalsPage"),
        tone: "good",
      };
    case "approval.refused":
      return {
        title: `${someone} recusou um pedido`,
        detail: about,
        to: pathOf("ApprovalsPage"),
        tone: "bad",
      };
  }
}
