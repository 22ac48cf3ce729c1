/** Names of the moments of a history. */
import type { HistoryEntry, HistoryMoment } from "@malote/contracts/history";
import { cardRejections } from "@malote/domain/card-rejections";
import { formatDateTime, formatMoney } from "../ui/format.ts";

export type MomentTone = "grey" | "blue" | "green" | "yellow" | "red";

interface Words {
  tone: MomentTone;
  text: string | ((entry: HistoryEntry) => string);
}

const money = ({ amount }: HistoryEntry) => (amount === null ? "O valor" : formatMoney(amount));

const endings: Readonly<Record<string, string>> = {
  unauthorized: "A operadora do cartão negou a venda",
  expired: "O prazo para pagar terminou",
  canceled_by_user: "A cobrança foi cancelada",
  canceled_by_psp: "A instituição cancelou a cobrança",
};

const words: Readonly<Record<HistoryMoment, Words>> = {
  "payment.created": { tone: "grey", text: "O pagamento foi criado" },
  "batch.approval_requested": { tone: "blue", text: "O lote foi enviado para aprovação" },
  "batch.rejected": { tone: "yellow", text: "O lote foi reprovado e voltou a ser rascunho" },
  "batch.sent_back": { tone: "yellow", text: "O lote voltou a ser rascunho" },
  "batch.approved": { tone: "blue", text: "O lote foi aprovado" },
  "batch.closed": { tone: "blue", text: "O lote foi fechado" },
  "batch.released": { tone: "blue", text: "O pagamento seguiu para envio" },
  "batch.cancelled": { tone: "grey", text: "O lote foi cancelado e o valor voltou ao saldo" },
  "payment.sent": {
    tone: "blue",
    text: ({ attempt }) =>
      attempt !== null && attempt > 1 ? `Enviado ao banco pela ${attempt}ª vez` : "Enviado ao banco",
  },
  "payment.settled": {
    tone: "green",
    text: (entry) => `${money(entry)} ${verb(entry, "chegou", "chegaram")} ao recebedor`,
  },
  "payment.finished": { tone: "green", text: "O banco confirmou o pagamento como concluído" },
  "payment.failed": { tone: "red", text: "O pagamento falhou" },
  "payment.sent_again": {
    tone: "blue",
    text: ({ scheduled_for: at }) =>
      at === null
        ? "O pagamento seguiu de novo para envio"
        : `O pagamento foi agendado de novo para ${formatDateTime(at)}`,
  },
  "payment.returned": {
    tone: "yellow",
    text: (entry) => `${money(entry)} ${verb(entry, "voltou", "voltaram")} ao saldo, por devolução do banco`,
  },
  "payment.given_back": {
    tone: "grey",
    text: (entry) => `${money(entry)} ${verb(entry, "voltou", "voltaram")} ao saldo`,
  },
  "payment.cancelled": {
    tone: "grey",
    text: (entry) =>
      `O agendamento foi cancelado e ${valor(entry)} ${verb(entry, "voltou", "voltaram")} ao saldo`,
  },
  "payin.created": { tone: "grey", text: "A cobrança foi criada" },
  "payin.received": {
    tone: "green",
    text: (entry) => `${money(entry)} ${verb(entry, "entrou", "entraram")} no saldo`,
  },
  "payin.doubled": { tone: "yellow", text: "A cobrança já estava paga: este pagamento veio em dobro" },
  "payin.authorized": {
    tone: "green",
    text: (entry) => `A operadora do cartão autorizou ${valor(entry)}`,
  },
  "payin.instalment_received": {
    tone: "green",
    text: (entry) => `${money(entry)} das parcelas do cartão ${verb(entry, "entrou", "entraram")} no saldo`,
  },
  "payin.ended": { tone: "red", text: ({ status }) => endings[status ?? ""] ?? "A cobrança foi encerrada" },
  "payin.blocked": {
    tone: "yellow",
    text: (entry) => `Bloqueio cautelar: ${valor(entry)} fora do saldo`,
  },
  "payin.block_kept": { tone: "yellow", text: "A análise terminou e o bloqueio cautelar continua" },
  "payin.unblocked": { tone: "grey", text: "O bloqueio cautelar terminou" },
  "payin.rejected": {
    tone: "red",
    text: "A instituição concluiu que há fraude: o valor volta ao pagador",
  },
  "payin.refund_asked": {
    tone: "blue",
    text: (entry) => `Devolução de ${valor(entry)} pedida`,
  },
  "payin.refunded": { tone: "green", text: (entry) => `Devolução de ${valor(entry)} ao pagador concluída` },
  "payin.refund_failed": {
    tone: "red",
    text: (entry) => `A devolução de ${valor(entry)} não foi feita e o valor voltou para a empresa`,
  },
};

function valor(entry: HistoryEntry): string {
  return entry.amount === null ? "o valor" : money(entry);
}
/** In Portuguese, amounts below R$ 2,00 take the singular verb. */
function verb({ amount }: HistoryEntry, one: string, many: string): string {
  return amount === null || amount < 2_00 ? one : many;
}

export function wordsOf(entry: HistoryEntry): { tone: MomentTone; text: string } {
  const { tone, text } = words[entry.what];
  return { tone, text: typeof text === "string" ? text : text(entry) };
}

/** Reason of an entry, if any; a card's code in words. */
export const reasonOf = ({ reason }: HistoryEntry): string | null =>
  reason === null ? null : (cardRejections[reason] ?? reason);

/** Actor of an entry; the network or the product when no person acted. */
export function actorOf({ actor }: HistoryEntry): string | null {
  if (actor === null) return null;
  if (actor.kind === "network") return "Instituição financeira";
  if (actor.kind === "operator") return "Operador da instalação";
  if (actor.kind === "system") return "Automático";
  return actor.kind === "machine" ? `Credencial ${actor.name ?? ""}`.trim() : actor.name;
}
