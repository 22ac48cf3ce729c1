/** Notices about a payin, above its details. */
import type { Payin } from "@malote/contracts/payins";
import { cardRejections } from "@malote/domain/card-rejections";
import { IconArrowBackUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useNamedPath } from "../shell/use-named-path.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime, formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { isRefundable } from "./refund-rules.ts";

/** A contested Pix links to the page where it is answered; refunding it here counts as an answer. */
export function Contested({ payin: { infraction_ids: ids, refundable_amount: left } }: { payin: Payin }) {
  const path = useNamedPath("InfractionPage");
  if (ids.length === 0) return null;
  return (
    <Notice tone="yellow" title="O pagador contestou este Pix">
      {left > 0 ? "O que for devolvido aqui não precisa ser devolvido de novo pela contestação. " : null}
      {path
        ? ids.map((id, index) => (
            <span key={id}>
              {index > 0 ? " · " : null}
              <Link to={path} params={{ infractionId: id }}>
                {ids.length === 1 ? "Ver a contestação" : `Ver a contestação ${index + 1}`}
              </Link>
            </span>
          ))
        : null}
    </Notice>
  );
}

/** PAY-024: shown while a precautionary block is analysed, and for each of its three results. */
export function Blocked({ status, block }: { status: Payin["status"]; block: NonNullable<Payin["block"]> }) {
  const amount = formatMoney(block.amount);
  if (status === "rejected")
    return (
      <Notice tone="red" title="Bloqueio cautelar encerrado: devolução ao pagador">
        A instituição concluiu que há fraude e está devolvendo {amount} ao pagador.
      </Notice>
    );
  if (status === "blocked" && block.kept_at)
    return (
      <Notice tone="yellow" title="Recebimento continua bloqueado">
        A análise terminou em {formatDateTime(block.kept_at)} e {amount} continuam fora do seu saldo, até que
        a instituição libere o valor ou o devolva ao pagador.
      </Notice>
    );
  if (status === "blocked")
    return (
      <Notice tone="yellow" title="Recebimento com bloqueio cautelar">
        Há suspeita de fraude, e {amount} ficam fora do seu saldo enquanto ela é analisada. O bloqueio dura
        até 72 horas. Depois, o recebimento pode continuar bloqueado, voltar a ser recebido ou ser devolvido
        ao pagador.
      </Notice>
    );
  if (status === "received" && block.unblocked_at)
    return (
      <Notice tone="green" title="Bloqueio cautelar encerrado: valor liberado">
        {amount} voltaram ao seu saldo em {formatDateTime(block.unblocked_at)}.
      </Notice>
    );
  return null;
}

interface PaidTwiceProps {
  payin: Payin;
  onRefund: (() => void) | undefined;
}

/** Two people paid, or one paid twice: the money belongs to the company until it refunds one payment. */
export function PaidTwice({ payin, onRefund }: PaidTwiceProps) {
  if (payin.status === "refunded" || payin.status === "refunding") return null;
  return (
    <Notice
      tone="yellow"
      title="Pago em dobro"
      action={
        onRefund ? (
          <Button icon={<IconArrowBackUp aria-hidden />} onClick={onRefund}>
            Devolver {formatMoney(payin.refundable_amount)}
          </Button>
        ) : undefined
      }
    >
      Este pagamento chegou quando a cobrança já estava paga.{" "}
      {isRefundable(payin)
        ? "Se o valor não é devido, devolva a quem pagou."
        : "Se o valor não é devido, combine com quem pagou e envie por transferência."}
    </Notice>
  );
}

/** PAY-025: shows an unknown code as it is. */
export function Rejection({ code }: { code: string }) {
  const message = cardRejections[code];
  return (
    <Notice tone="red" title={message ? "Venda negada" : `Venda negada: ${code}`}>
      {message ? (
        <>
          {message} <span className="small faint">Código: {code}</span>
        </>
      ) : null}
    </Notice>
  );
}
