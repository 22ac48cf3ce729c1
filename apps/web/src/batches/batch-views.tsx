import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { FailuresPanel } from "../failures/index.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { counted, formatDateTime } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { BatchPayments } from "./batch-payments.tsx";
import styles from "./batch-screen.module.css";
import { BatchWarnings } from "./batch-warnings.tsx";
import { hasFailedQuery, isUnfinished } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";
import { useReport } from "./use-report.ts";

const ApprovalSummary = lazyPart(async () => ({
  default: (await import("./batch-checks.tsx")).ApprovalSummary,
}));
const ApprovalsPanel = lazyPart(() => import("./approvals-panel.tsx"));
const FundingData = lazyPart(() => import("./funding-data.tsx"));

/** BAT-063: shows another person's batch, to read before approving it. */
export function ApprovalView({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  return (
    <div className={styles.sections}>
      {desk.approvals ? (
        <Suspense fallback={<Bone height={80} />}>
          <ApprovalsPanel approvals={desk.approvals} />
        </Suspense>
      ) : null}
      {!desk.isApproverKnown || desk.needsOtherApprover ? null : (
        <Notice tone="blue" title={`${batch.created_by.name} pede a sua aprovação.`}>
          <span className="small">
            Confira os pagamentos e o total. A aprovação vale para este conteúdo: se algo mudar, ela é pedida
            de novo.
          </span>
        </Notice>
      )}
      <BatchWarnings desk={desk} />
      <Suspense fallback={<Bone height={240} />}>
        <ApprovalSummary desk={desk} />
      </Suspense>
      <BatchPayments desk={desk} />
    </div>
  );
}

/** BAT-031: shows how much is missing, where to send it, and what it will pay. */
export function WaitingView({ desk }: { desk: BatchDesk }) {
  const { waiting_reason: heldBecause } = desk.batch;
  // A batch that a limit or a block holds may lack money as well.
  const lacksMoney = heldBecause === null || (desk.summary.data?.missing ?? 0) > 0;
  return (
    <div className={styles.sections}>
      {heldBecause === null ? (
        <Notice tone="yellow" title="Aguardamos o recebimento do valor do lote.">
          <span className="small">
            Envie o que falta por uma das formas abaixo. Assim que o saldo cobrir o total, os pagamentos
            começam sozinhos.
          </span>
        </Notice>
      ) : (
        <Notice tone="yellow" title="Este lote ainda espera.">
          <span className="small">{heldBecause}</span>
        </Notice>
      )}
      {lacksMoney ? (
        <Suspense fallback={<Bone height={280} />}>
          <FundingData />
        </Suspense>
      ) : null}
      <section className={styles.section} aria-label="Pagamentos">
        <h2>Pagamentos deste lote</h2>
        <BatchPayments desk={desk} />
      </section>
    </div>
  );
}

/** BAT-030, with the alert of BAT-025 and its report. */
export function DefaultView({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  const report = useReport(batch);
  // The batch carries the same flag, which serves until the call answers.
  const isDue = useQuery(hasFailedQuery(batch.id)).data ?? batch.has_failed_or_returned_transfers;
  return (
    <div className={styles.sections}>
      {isDue ? (
        <Notice
          tone="red"
          title="Alguns pagamentos não foram realizados!"
          action={
            <Button
              size="sm"
              busy={report.busy}
              icon={<IconDownload aria-hidden />}
              onClick={report.download}
            >
              Baixar relatório
            </Button>
          }
        >
          <span className="small">{failedText(batch.failed_count, batch.returned_count)}</span>
        </Notice>
      ) : null}
      {batch.status === "RECEIVED" && batch.failed_count > 0 ? (
        <Suspense fallback={<Bone height={160} />}>
          <FailuresPanel
            batchId={batch.id}
            session={desk.session}
            pollMs={desk.pollMs}
            failedCount={batch.failed_count}
            onOpen={(id) => desk.address.open({ pagamento: id })}
          />
        </Suspense>
      ) : null}
      {batch.status === "WAITING_APPROVAL" ? (
        <Notice tone="blue" title="Este lote aguarda a aprovação de um administrador." />
      ) : null}
      <Progress desk={desk} />
      <Facts desk={desk} />
      <BatchPayments desk={desk} />
    </div>
  );
}

function failedText(failed: number, returned: number): string {
  const parts = [
    failed > 0 &&
      `${counted(failed, "pagamento com falha", "pagamentos com falha")} para corrigir ou devolver`,
    returned > 0 && counted(returned, "pagamento devolvido", "pagamentos devolvidos"),
  ];
  return `${parts.filter(Boolean).join(" e ")}.`;
}

/** Shows the progress of running payments; it is announced now and then, not at every step. */
function Progress({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  if (batch.status === "PENDING") {
    return (
      <Notice tone="blue" title="Fechando o lote. Isso leva poucos segundos, e você pode sair desta tela." />
    );
  }
  if (batch.status !== "RECEIVED" || batch.is_canceled || batch.payments_count === 0) return null;
  const share = Math.round((batch.paid_count / batch.payments_count) * 100);
  return (
    <section className={`panel ${styles.facts}`} aria-label="Andamento">
      <div className={styles.kv}>
        <span className="strong">
          {batch.paid_count} de {counted(batch.payments_count, "pagamento feito", "pagamentos feitos")}
        </span>
        <span className="muted num">{share}%</span>
      </div>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Pagamentos feitos"
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share}%` }} />
      </div>
      {isUnfinished(batch) ? (
        <span className="small muted">
          {batch.type === "BILLET"
            ? "Boletos agendados são pagos no seu dia."
            : "Pagamentos agendados e TEDs seguem no seu dia e horário."}
        </span>
      ) : null}
    </section>
  );
}

function Facts({ desk }: { desk: BatchDesk }) {
  const { batch } = desk;
  const facts: [label: string, text: ReactNode][] = [
    ["Criado em", formatDateTime(batch.created_at)],
    ["Criado por", batch.created_by.name],
    ["Recebido em", batch.received_date && formatDateTime(batch.received_date)],
    ["Finalizado em", batch.finish_date && formatDateTime(batch.finish_date)],
    ["Devolvido em", batch.returned_date && formatDateTime(batch.returned_date)],
    ["Planilha", batch.spreadsheet_file_name],
    [
      "Conciliação",
      batch.status === "FINISHED" ? (batch.reconciled ? "Conciliado" : "Não conciliado") : null,
    ],
  ];
  return (
    <dl className={`panel ${styles.facts} ${styles.grid2}`}>
      {facts
        .filter(([, text]) => text)
        .map(([label, text]) => (
          <div key={label} className={styles.fact}>
            <dt className="small faint">{label}</dt>
            <dd className="num" style={{ whiteSpace: "normal" }}>
              {text}
            </dd>
          </div>
        ))}
    </dl>
  );
}
