import { batchNameMax } from "@malote/domain/limits";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { Suspense, useEffect, useRef } from "react";
import { SheetNotes } from "../import/index.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { counted, formatCount } from "../ui/format.ts";
import { Notice, Notices } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import { BatchPayments } from "./batch-payments.tsx";
import styles from "./batch-screen.module.css";
import { BatchWarnings } from "./batch-warnings.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";
import { useBadRows } from "./use-report.ts";

const IssueGroups = lazyPart(() => import("./issue-groups.tsx"));

/** Form of a draft (BAT-035 to BAT-052). */
export function BatchForm({ desk }: { desk: BatchDesk }) {
  const { batch, address } = desk;
  useOpenFirstPayment(desk);
  const hasErrors = desk.errorsCount > 0;
  const isOfBoletos = batch.type === "BILLET";
  return (
    <div className={styles.sections}>
      <Notices label="Avisos deste lote">
        {batch.sent_back_by ? (
          <Notice
            tone="yellow"
            title={
              batch.sent_back_by === "person"
                ? "Este lote foi reprovado"
                : "Este lote voltou a ser rascunho e não foi pago"
            }
          >
            {batch.reprove_reason}
          </Notice>
        ) : null}
        {hasErrors ? <ErrorsNotice desk={desk} /> : null}
        {batch.sheet_id ? (
          <Suspense>
            <SheetNotes sheetId={batch.sheet_id} isUntouched={batch.was_imported} value={batch.value} />
          </Suspense>
        ) : null}
        <BatchWarnings desk={desk} />
      </Notices>
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
      {hasErrors ? (
        <Suspense>
          <IssueGroups desk={desk} />
        </Suspense>
      ) : null}
      <section className={styles.section} aria-label="Pagamentos">
        {batch.payments_count > 0 ? (
          <BatchPayments
            desk={desk}
            head={
              <Button
                size="sm"
                look="quiet"
                disabled={desk.errorsCount + batch.failed_count === 0}
                onClick={() => desk.openDialog("remove_failed")}
              >
                Excluir falhas
              </Button>
            }
          />
        ) : (
          // The list is empty, but the form of a new payment is still shown here.
          <BatchPayments desk={desk} />
        )}
        <h2>Deseja adicionar mais pagamentos?</h2>
        <button type="button" className={styles.add} onClick={() => address.open({ pagamento: "novo" })}>
          <IconPlus size={20} aria-hidden />
          {isOfBoletos ? "Adicionar boleto" : "Adicionar pagamento"}
        </button>
      </section>
    </div>
  );
}

/** BAT-039: opens the first payment's form of an empty draft at once, and not again after the form was closed. */
function useOpenFirstPayment({ batch, address }: BatchDesk): void {
  const offered = useRef(false);
  useEffect(() => {
    if (offered.current || batch.payments_count > 0) return;
    offered.current = true;
    if (!address.pagamento) address.open({ pagamento: "novo" }, { replace: true });
  }, [batch.payments_count, address]);
}

/** BAT-048: notice above a batch with errors. */
function ErrorsNotice({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  const badRows = useBadRows(batch);
  const isOfBoletos = batch.type === "BILLET";
  const ready = batch.payments_count - desk.errorsCount;
  const isSheet = batch.was_imported || Boolean(batch.spreadsheet_file_name);
  const [one, many] = isSheet ? ["linha", "linhas"] : ["pagamento", "pagamentos"];
  const others = isSheet
    ? ["A outra está pronta.", `As outras ${formatCount(ready)} estão prontas.`]
    : ["O outro está pronto.", `Os outros ${formatCount(ready)} estão prontos.`];
  return (
    <Notice
      tone="red"
      title={`Seu lote possui alguns erros! Verifique ${isOfBoletos ? "os boletos" : "as transferências"} em destaque para corrigir.`}
      action={
        <Button size="sm" busy={badRows.busy} icon={<IconDownload aria-hidden />} onClick={badRows.download}>
          Baixar só as linhas com erro
        </Button>
      }
    >
      <span className="small">
        {counted(desk.errorsCount, `${one} precisa`, `${many} precisam`)} de correção antes de fechar.{" "}
        {ready === 0 ? "" : ready === 1 ? others[0] : others[1]}
      </span>
    </Notice>
  );
}
