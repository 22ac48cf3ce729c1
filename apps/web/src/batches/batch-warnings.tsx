import { Notice } from "../ui/notice.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

/** BAT-049 to BAT-051, by the current rules, for preparers and approvers. */
export function BatchWarnings({ desk }: { desk: BatchDesk }) {
  const { checks } = desk;
  if (!checks) return null;
  const isOfBoletos = desk.batch.type === "BILLET";
  return (
    <>
      {checks.hasTimeError ? (
        <Notice tone="red" title="Há pagamentos agendados com data vencida.">
          <span className="small">
            {desk.view === "approval"
              ? "O lote não pode ser aprovado assim. Edite o lote ou reprove-o, para que as datas sejam trocadas."
              : isOfBoletos
                ? "A data escolhida ou o vencimento já passou. Abra cada um para corrigir."
                : "A data escolhida ou o horário limite de TED já passou. Escolha uma nova data para eles."}
          </span>
        </Notice>
      ) : null}
      {checks.hasTimeWarning ? (
        <Notice
          tone="yellow"
          title={
            isOfBoletos
              ? "Há boletos que só serão pagos no próximo dia útil."
              : "TEDs recebidas depois das 16h30 são feitas no próximo dia útil."
          }
        />
      ) : null}
      {checks.hasDuplicatedIntegrationId ? (
        <Notice tone="yellow" title="Há IDs de integração repetidos.">
          <span className="small">Confira se algum pagamento não está duplicado antes de fechar o lote.</span>
        </Notice>
      ) : null}
    </>
  );
}
