/** Name of each item of work, and where it is done. */
import type { WorkItem } from "@malote/contracts/home";
import { shownPixKey } from "@malote/domain/pix-key";
import { batchAddress, pathOf } from "../shell/routes.ts";
import { counted, cutText, formatCount, formatDate, formatDateTime, formatMonth } from "../ui/format.ts";

export type WorkTone = "amber" | "red" | "grey";

export interface WorkWords {
  title: string;
  detail: string;
  /** Verb on the button. */
  verb: string;
  to: string;
  /** Centavos. */
  amount: number | null;
  tone: WorkTone;
}

const nameMax = 60;
const quoted = (name: string) => `“${cutText(name, nameMax)}”`;
const payments = (count: number) => counted(count, "pagamento", "pagamentos");

const hourMs = 3_600_000;

/** Returns `restam 21 h` or `restam 3 dias`: whole units, rounded down. */
export function timeLeft(until: string, now: Date): string {
  const ms = Date.parse(until) - now.getTime();
  if (ms < hourMs) return `restam ${Math.max(1, Math.floor(ms / 60_000))} min`;
  const hours = Math.floor(ms / hourMs);
  if (hours < 48) return hours === 1 ? "resta 1 h" : `restam ${hours} h`;
  return `restam ${Math.floor(hours / 24)} dias`;
}

export function wordsOf(item: WorkItem, now: Date): WorkWords {
  switch (item.kind) {
    case "approve_batch":
      return {
        title: `Aprovar ${quoted(item.name)}`,
        detail: `${payments(item.payments_count)} · preparado por ${item.created_by}`,
        verb: "Revisar e aprovar",
        to: batchAddress(item.id),
        amount: item.value,
        tone: "amber",
      };
    case "approve_request":
      return {
        title: item.title,
        detail: `Pedido por ${item.requested_by} · ${item.due_at ? timeLeft(item.due_at, now) : ""}`,
        verb: "Decidir",
        to: pathOf("ApprovalsPage"),
        amount: item.amount,
        tone: "amber",
      };
    case "fund_batch":
      return {
        title: `Enviar o que falta para ${quoted(item.name)}`,
        detail: `Lote com ${payments(item.payments_count)} · é pago sozinho quando o dinheiro chega`,
        verb: "Ver o lote",
        to: batchAddress(item.id),
        amount: item.missing,
        tone: "amber",
      };
    case "resolve_failures":
      return {
        title: `${counted(item.failed_count, "pagamento falhou", "pagamentos falharam")} em ${quoted(item.name)}`,
        detail: "Corrija, tente de novo ou devolva ao saldo",
        verb: "Resolver",
        to: batchAddress(item.id),
        amount: item.value,
        tone: "red",
      };
    case "choose_dates":
      return wordsOfLateDraft(item);
    case "answer_infraction":
      return {
        title: `Contestação de ${cutText(item.payer_name, nameMax)}`,
        detail: [
          item.received_at && `Pix recebido em ${formatDate(item.received_at)}`,
          item.due_at && `${timeLeft(item.due_at, now)} para responder`,
        ]
          .filter(Boolean)
          .join(" · "),
        verb: "Responder",
        to: pathOf("InfractionPage").replace("$infractionId", item.id),
        amount: item.amount,
        tone: "amber",
      };
    case "answer_claim":
      return {
        title: `Outra instituição pediu a chave ${shownPixKey(item.key)}`,
        detail: item.due_at ? `Decida até ${formatDateTime(item.due_at)}` : "",
        verb: "Decidir",
        to: `${pathOf("PaymentsBankAccountsPage")}?chave=${item.id}`,
        amount: null,
        tone: "amber",
      };
    case "pay_invoice":
      return {
        title: `Fatura de ${formatMonth(item.month.slice(0, 7))}`,
        detail: item.is_late ? "Venceu: pague para não ter bloqueio" : dueDay(item.due_at),
        verb: "Ver fatura",
        to: pathOf("BillingPage"),
        amount: item.total,
        tone: item.is_late ? "red" : "grey",
      };
    case "first_steps":
      return {
        title: "Primeiros passos",
        detail: "Cadastre a conta para saque, proteja seu acesso e faça o primeiro lote",
        verb: "Continuar",
        to: pathOf("FirstStepsPage"),
        amount: null,
        tone: "grey",
      };
  }
}

/** When no date helps any of the payments, the draft opens on them instead, to remove them. */
function wordsOfLateDraft(item: Extract<WorkItem, { kind: "choose_dates" }>): WorkWords {
  const { name, late_count: late, unpayable_count: unpayable, since, value: amount } = item;
  const to = batchAddress(item.id);
  if (unpayable === late) {
    const [one, many] = item.type === "BILLET" ? ["boleto", "boletos"] : ["código Pix", "códigos Pix"];
    return {
      title: `Rascunho ${quoted(name)} com ${counted(unpayable, `${one} vencido`, `${many} vencidos`)}`,
      detail: `Nenhuma data serve mais: exclua do lote ou troque por ${unpayable === 1 ? "outro" : "outros"}`,
      verb: "Excluir ou trocar",
      to,
      amount,
      tone: "amber",
    };
  }
  const first = since === null ? " fora do prazo" : `, o primeiro de ${formatDate(since)}`;
  const rest = unpayable === 0 ? "" : ` · ${formatCount(unpayable)} sem data que sirva, a excluir ou trocar`;
  return {
    title: `Rascunho ${quoted(name)} com data que passou`,
    detail: `${payments(late)}${first}${rest}`,
    verb: "Escolher datas",
    to,
    amount,
    tone: "amber",
  };
}

/** The instant is the end of the last day. */
const dueDay = (dueAt: string | null) =>
  dueAt === null ? "" : `Vence em ${formatDate(new Date(Date.parse(dueAt) - 1).toISOString())}`;
