/** Rules of when a payin can be refunded, and what its button shows (PAY-026 to PAY-029). */

import { type Payin, refundPayin } from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import { payinTypeNames } from "@malote/domain/payin-names";
import type { Session } from "../shell/session.ts";
import { may } from "../shell/session.ts";
import { systemNow } from "../ui/system-time.ts";

const refundWord = "Devolver";
const canceled = ["canceled", "canceled_by_user", "canceled_by_psp"];

export function refundTip(
  payin: Pick<Payin, "status" | "refund_expires_at">,
  now: Date = systemNow(),
): string {
  if (payin.status === "pending") return "Cobrança ainda não foi recebida";
  if (canceled.includes(payin.status)) return "Cobrança cancelada";
  if (payin.refund_expires_at && new Date(payin.refund_expires_at) <= now)
    return "Tempo para devolução excedido";
  return refundWord;
}

/** True when the person may refund at all; blocked money needs no permission of its own. */
export function mayRefund({ status }: Pick<Payin, "status">, session: Session | undefined): boolean {
  if (!session || !may(refundPayin, session)) return false;
  return status === "blocked" || holds(session, "payin_refund");
}

export const isRefundable = ({ refundable_amount: amount }: Pick<Payin, "refundable_amount">): boolean =>
  amount > 0;

/**
 * Explains why it cannot be refunded, and what to do instead; undefined when it can. Longer than the hint, whose text
 * is fixed (PAY-029).
 */
export function refundObstacle(payin: Payin, now: Date = systemNow()): string | undefined {
  if (isRefundable(payin) && payin.rejected_at === null) return undefined;
  const tip = refundTip(payin, now);
  if (tip !== refundWord) return `${tip}.`;
  if (payin.status === "rejected")
    return "A instituição rejeitou este Pix e está devolvendo o valor ao pagador.";
  if (payin.refunded_amount > 0 && payin.status === "refunding")
    return "A devolução já foi pedida e está a caminho do pagador.";
  if (payin.status === "refunded" || payin.rejected_at !== null)
    return "O valor já foi devolvido por inteiro ao pagador.";
  if (payin.status === "unauthorized") return "A venda foi negada: nada foi cobrado do cartão.";
  if (payin.status === "expired") return "A cobrança expirou sem ser paga: não há o que devolver.";
  if (payin.payment_type === "ted" || payin.payment_type === "boleto")
    return `${payinTypeNames[payin.payment_type]} não tem devolução pela mesma via. Para devolver, faça um pagamento ao cliente em um lote de transferências.`;
  return "Não há valor que possa ser devolvido.";
}

/** PAY-031: above zero, and at most the refundable amount. */
export function amountProblem(amount: number | null, refundable: number): string | undefined {
  if (amount === null) return "Digite um valor para devolução";
  if (amount <= 0) return "Digite um valor maior que zero";
  return amount > refundable ? "O valor passa do que pode ser devolvido" : undefined;
}
