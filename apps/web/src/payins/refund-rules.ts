/** When a payin can be given back, and what its button says (PAY-026 to PAY-029). */
import { type Payin, refundPayin } from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import type { Session } from "../shell/session.ts";
import { may } from "../shell/session.ts";

const refundWord = "Devolver";
const canceled = ["canceled", "canceled_by_user", "canceled_by_psp"];

export function refundTip(
  payin: Pick<Payin, "status" | "refund_expires_at">,
  now: Date = new Date(),
): string {
  if (payin.status === "pending") return "Cobrança ainda não foi recebida";
  if (canceled.includes(payin.status)) return "Cobrança cancelada";
  if (payin.refund_expires_at && new Date(payin.refund_expires_at) <= now)
    return "Tempo para devolução excedido";
  return refundWord;
}

/** Whether the person may at all; what is blocked asks for no permission of its own. */
export function mayRefund({ status }: Pick<Payin, "status">, session: Session | undefined): boolean {
  if (!session || !may(refundPayin, session)) return false;
  return status === "blocked" || holds(session, "payin_refund");
}

export const isRefundable = ({ refundable_amount: amount }: Pick<Payin, "refundable_amount">): boolean =>
  amount > 0;

/** Why it cannot be given back, as the rest of a sentence, where there is something to say (PAY-029). */
export const refundObstacle = (payin: Payin): string | undefined => {
  const tip = refundTip(payin);
  return tip === refundWord ? undefined : tip.charAt(0).toLowerCase() + tip.slice(1);
};

/** PAY-031. */
export function amountProblem(amount: number | null, refundable: number): string | undefined {
  if (amount === null) return "Digite um valor para devolução";
  if (amount <= 0) return "Digite um valor maior que zero";
  return amount > refundable ? "O valor passa do que pode ser devolvido" : undefined;
}
