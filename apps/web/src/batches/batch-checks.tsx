import type { BatchChecks, Check } from "@malote/contracts/checks";
import { IconAlertTriangle, IconCheck, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { Findings } from "../shell/findings.tsx";
import { counted, formatCount, formatDateTime, formatMoney, unbroken } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./batch-checks.module.css";
import { batchFindingsQuery, useConfirmChecks, useMoreFindings } from "./open-batch-api.ts";
import { type BatchDesk, failWith } from "./use-batch-desk.ts";

const methodWords: Readonly<Record<string, string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Internas",
  BILLET: "Boletos",
};

interface BatchChecksListProps {
  desk: BatchDesk;
  /** In the dialog: hides purely informative checks, and leaves confirmed ones unfolded. */
  ticks?: boolean;
}

/** Lists what a person should see before a batch goes on. */
export default function BatchChecksList({ desk, ticks = false }: BatchChecksListProps) {
  const checks = useQuery(batchFindingsQuery(desk.id));
  if (checks.isError)
    return (
      <Notice
        tone="yellow"
        title="Não foi possível conferir os pagamentos agora. Tente de novo em instantes."
      />
    );
  if (!checks.data)
    return (
      <LoadingState label="Conferindo os pagamentos">
        <Bone height={48} />
      </LoadingState>
    );
  const shown = checks.data.data.filter(({ severity }) => !ticks || severity === "tick");
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list}>
      {shown.map((check) => (
        <CheckLine key={check.kind} check={check} desk={desk} isLast={ticks} />
      ))}
    </ul>
  );
}

const icons = { block: IconCircleX, tick: IconAlertTriangle, note: IconInfoCircle };

/** `isLast`: true in the dialog after which the batch goes on, on the strength of these confirmations. */
function CheckLine({ check, desk, isLast }: { check: Check; desk: BatchDesk; isLast: boolean }) {
  // An approver still sees an alert that the preparer confirmed.
  const isDone = check.confirmed !== null && desk.batch.status !== "WAITING_APPROVAL";
  const Icon = isDone ? IconCheck : icons[check.severity];
  return (
    <li className={styles.check} data-tone={isDone ? "done" : check.severity}>
      <Icon size={18} aria-hidden />
      <div className={styles.body}>
        {check.findings.length === 0 ? (
          <span>{unbroken(check.title)}</span>
        ) : (
          // A check to confirm shows its first payments, because a confirmation without a look at them is
          // worthless.
          <details
            open={check.severity === "tick" && (check.confirmed === null ? desk.mayTick || isLast : isLast)}
          >
            <summary>
              {check.title} · <span className="num">{formatMoney(check.value)}</span>
            </summary>
            <AllFindings
              key={check.fingerprint}
              check={check}
              batchId={desk.id}
              {...(isLast && check.confirmed && { first: tickedFirst })}
            />
          </details>
        )}
        {check.severity === "tick" ? <Tick check={check} desk={desk} /> : null}
      </div>
    </li>
  );
}

/** Findings shown first for a check that another person confirmed; no checkbox below has to stay in sight. */
const tickedFirst = 5;

/** Shows the findings that came with the check; other findings reset the list. */
function AllFindings({ check, batchId, first }: { check: Check; batchId: string; first?: number }) {
  return <Findings check={check} more={useMoreFindings(batchId, check)} {...(first && { first })} />;
}

function Tick({ check, desk }: { check: Check; desk: BatchDesk }) {
  const confirm = useConfirmChecks(desk.id);
  const { confirmed } = check;
  const done = useRef<HTMLSpanElement>(null);
  const wasTicked = confirm.isSuccess && confirmed !== null;
  // The box disappears once confirmed: the focus moves to the remaining content.
  useEffect(() => {
    if (wasTicked) done.current?.focus({ preventScroll: true });
  }, [wasTicked]);
  if (confirmed)
    return (
      <span ref={done} tabIndex={-1} className="small muted">
        Conferido por {confirmed.by} em {formatDateTime(confirmed.at)}
      </span>
    );
  if (!desk.mayTick) return <span className="small muted">Ainda não conferido</span>;
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        // Stays unchecked until the server has stored the confirmation under the person's name.
        checked={confirm.isPending}
        // A disabled box would drop the focus to the page behind.
        aria-disabled={confirm.isPending}
        onChange={() => {
          if (confirm.isPending) return;
          confirm.mutate([{ kind: check.kind, fingerprint: check.fingerprint }], {
            onError: failWith("Não foi possível guardar a conferência. Tente de novo."),
          });
        }}
      />
      Conferi e quero seguir
      <span className="sr-only">: {check.title}</span>
    </label>
  );
}

/** Summarizes for an approver how much is paid, how, to whom, and what is unusual. */
export function ApprovalSummary({ desk }: { desk: BatchDesk }) {
  const title = useId();
  const checks = useQuery(batchFindingsQuery(desk.id));
  const summary = checks.data?.summary;
  return (
    <section className={`panel ${styles.summary}`} aria-labelledby={title}>
      <h2 id={title}>Para aprovar</h2>
      {summary ? <Figures summary={summary} isOfBoletos={desk.batch.type === "BILLET"} /> : null}
      <BatchChecksList desk={desk} />
    </section>
  );
}

/** The register does not reveal whether a boleto's payee was paid before, so the line is left out. */
function Figures({ summary, isOfBoletos }: { summary: BatchChecks["summary"]; isOfBoletos: boolean }) {
  return (
    <>
      <p className={styles.total}>
        <MoneyText cents={summary.value} />
        <span className="small muted">
          {counted(summary.count, "pagamento", "pagamentos")}
          {summary.by_method.map(
            ({ payment_method, count, value }) =>
              ` · ${methodWords[payment_method] ?? payment_method} ${formatCount(count)} (${formatMoney(value)})`,
          )}
        </span>
      </p>
      <p className={styles.marks}>
        <span data-tone={summary.alerts > 0 ? "warn" : "good"}>
          {summary.alerts === 0 ? "Nenhum alerta" : counted(summary.alerts, "alerta", "alertas")}
        </span>
        {isOfBoletos ? null : (
          <span>
            {summary.new_receivers === 0
              ? "Nenhum recebedor novo"
              : counted(summary.new_receivers, "recebedor novo", "recebedores novos")}
          </span>
        )}
      </p>
      <div>
        <h3 className="small muted">
          {summary.largest.length === 1 ? "Maior pagamento" : `${summary.largest.length} maiores pagamentos`}
        </h3>
        <ol className={styles.largest}>
          {summary.largest.map(({ id, name, value }) => (
            <li key={id} className={styles.who}>
              <span>{name ?? "Sem nome"}</span>
              <MoneyText cents={value} />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
