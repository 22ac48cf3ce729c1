import { answerDays } from "@malote/domain/infraction";
import { Notice } from "../ui/notice.tsx";

/** MED-012: deadline for answering an infraction. */
export function AnswerNotice() {
  return (
    <Notice tone="blue" title={`Responda em até ${answerDays} dias corridos`}>
      O prazo conta da notificação (regra em vigor desde 01/04/25). Notificações vencidas são devolvidas
      automaticamente ao pagador.
    </Notice>
  );
}
