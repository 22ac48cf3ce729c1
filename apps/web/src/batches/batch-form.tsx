import { batchNameMax } from "@malote/domain/limits";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { counted, formatCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { BatchPayments } from "./batch-payments.tsx";
import styles from "./batch-screen.module.css";
import { IssueGroups } from "./issue-groups.tsx";
import { batchChecksQuery } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";
import { useBadRows } from "./use-report.ts";

/** A draft in the making (BAT-035 to BAT-052). */
export function BatchForm({ desk }: { desk: BatchDesk }) {
  const { batch, address } = desk;
  useOpenFirstPayment(desk);
  const hasErrors = batch.errors_count > 0;
  const isOfBillets = batch.type === "BILLET";
  return (
    <div className={styles.sections}>
      {batch.reprove_reason ? (
        <Notice tone="yellow" title="Este lote foi reprovado">
          {batch.reprove_reason}
        </Notice>
      ) : null}
      <Warnings desk={desk} />
      {hasErrors ? <ErrorsNotice desk={desk} /> : null}
      <section className={`panel ${styles.name}`} aria-labelledby="batch-name-title">
        <h2 id="batch-name-title">Dê um nome a este lote</h2>
        <TextField
          aria-label="Nome do lote"
          value={desk.name}
          maxLength={batchNameMax}
          autoComplete="off"
          error={desk.isNameValid ? false : "Digite um nome para o lote"}
          onChange={(event) => desk.setName(event.currentTarget.value)}
        />
      </section>
      {hasErrors && !isOfBillets ? <IssueGroups desk={desk} /> : null}
      <section className={styles.section} aria-label="Pagamentos">
        {batch.payments_count > 0 && !isOfBillets ? (
          <BatchPayments
            desk={desk}
            head={
              // BAT-036 has it for transfers: a wrong billet is opened and mended, or deleted there.
              <Button
                size="sm"
                look="quiet"
                disabled={batch.errors_count + batch.failed_count === 0}
                onClick={() => desk.openDialog("remove_failed")}
              >
                Excluir falhas
              </Button>
            }
          />
        ) : (
          // The list is empty, but the form of a new payment still belongs here.
          <BatchPayments desk={desk} />
        )}
        <h2>Deseja adicionar mais pagamentos?</h2>
        <button type="button" className={styles.add} onClick={() => address.open({ pagamento: "novo" })}>
          <IconPlus size={20} aria-hidden />
          {isOfBillets ? "Adicionar boleto" : "Adicionar pagamento"}
        </button>
      </section>
    </div>
  );
}

/** BAT-039: an empty draft asks for its first payment at once, and not again after the form was closed. */
function useOpenFirstPayment({ batch, address }: BatchDesk): void {
  const offered = useRef(false);
  useEffect(() => {
    if (offered.current || batch.payments_count > 0) return;
    offered.current = true;
    if (!address.pagamento) address.open({ pagamento: "novo" }, { replace: true });
  }, [batch.payments_count, address]);
}

/** BAT-048. */
function ErrorsNotice({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  const badRows = useBadRows(batch);
  const isOfBillets = batch.type === "BILLET";
  const ready = batch.payments_count - batch.errors_count;
  const isSheet = batch.was_imported || Boolean(batch.spreadsheet_file_name);
  const [one, many] = isSheet ? ["linha", "linhas"] : ["pagamento", "pagamentos"];
  const others = isSheet
    ? ["A outra está pronta.", `As outras ${formatCount(ready)} estão prontas.`]
    : ["O outro está pronto.", `Os outros ${formatCount(ready)} estão prontos.`];
  return (
    <Notice
      tone="red"
      title={`Seu lote possui alguns erros! Verifique ${isOfBillets ? "os boletos" : "as transferências"} em destaque para corrigir.`}
      action={
        <Button size="sm" busy={badRows.busy} icon={<IconDownload aria-hidden />} onClick={badRows.download}>
          Baixar só as linhas com erro
        </Button>
      }
    >
      <span className="small">
        {counted(batch.errors_count, `${one} precisa`, `${many} precisam`)} de correção antes de fechar.{" "}
        {ready === 0 ? "" : ready === 1 ? others[0] : others[1]}
      </span>
    </Notice>
  );
}

/** BAT-049 to BAT-051, by the rules of today. */
function Warnings({ desk }: { desk: BatchDesk }) {
  const checks = useQuery(batchChecksQuery(desk.id)).data;
  if (!checks) return null;
  const isOfBillets = desk.batch.type === "BILLET";
  return (
    <>
      {checks.hasTimeError ? (
        <Notice tone="red" title="Há pagamentos agendados com data vencida.">
          <span className="small">
            {isOfBillets
              ? "A data escolhida ou o vencimento já passou. Abra cada um para corrigir."
              : "A data escolhida ou o horário limite de TED já passou. Escolha uma nova data para eles."}
          </span>
        </Notice>
      ) : null}
      {checks.hasTimeWarning ? (
        <Notice
          tone="yellow"
          title={
            isOfBillets
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
