import {
  type Failure,
  type FailureOutcomes,
  type Failures,
  resendFailures,
  returnFailures,
} from "@malote/contracts/failures";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { may, type Session } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { counted, formatCount, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { LongList } from "../ui/long-list.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { useSelection } from "../ui/use-selection.ts";
import { failuresQuery, type Way } from "./api.ts";
import styles from "./failures.module.css";
import { ResolveDialog } from "./resolve-dialog.tsx";

interface FailuresPanelProps {
  batchId: string;
  session: Session;
  pollMs: number | false;
  /**
   * Number of failures by the batch. A changed number reads the list again; it is not polled after the last failure.
   */
  failedCount: number;
  /** Opens one payment, where it is corrected. */
  onOpen: (id: string) => void;
}

/** Lists the failed payments of a batch, with actions for many of them at a time. */
export default function FailuresPanel(props: FailuresPanelProps) {
  const { batchId, session, pollMs, failedCount, onOpen } = props;
  const failures = useQuery(failuresQuery(batchId, pollMs));
  const { refetch } = failures;
  const known = useRef(failedCount);
  useEffect(() => {
    if (known.current === failedCount) return;
    known.current = failedCount;
    void refetch();
  }, [failedCount, refetch]);
  if (failures.isError) return <FailedQuery title="Não foi possível listar as falhas" query={failures} />;
  if (!failures.data) {
    return (
      <LoadingState label="Carregando as falhas">
        <Bone height={160} />
      </LoadingState>
    );
  }
  if (failures.data.total.count === 0) return null;
  return <Panel batchId={batchId} session={session} failures={failures.data} onOpen={onOpen} />;
}

const shownAtOnce = 10;

interface PanelProps extends Omit<FailuresPanelProps, "pollMs" | "failedCount"> {
  failures: Failures;
}

function Panel({ batchId, session, failures, onOpen }: PanelProps) {
  const { data, total, retry, give_back } = failures;
  const headingId = useId();
  const allId = useId();
  const [way, setWay] = useState<Way>();
  const [refused, setRefused] = useState<FailureOutcomes["data"]>([]);
  const mayRetry = may(resendFailures, session) && retry.allowed;
  const mayReturn = may(returnFailures, session) && give_back.allowed;
  const mayChoose = mayRetry || mayReturn;
  // Payments with an open request cannot be resent or returned until it is decided.
  const choosable = data.filter((one) => !one.waits_for_approval);
  const { selected, isAll, isSelected, select, selectAll, clear } = useSelection(choosable);
  const retriable = selected.filter((one) => one.retry_problem === null);
  const payments = counted(total.count, "pagamento com falha", "pagamentos com falha");
  return (
    <section className={`panel ${styles.panel}`} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>
          {payments} · <span className="num">{formatMoney(total.value)}</span>
        </h2>
        <p className="small muted">{whatToDo(failures)}</p>
      </div>
      {mayChoose ? (
        <div className={styles.bar}>
          <Checkbox
            id={allId}
            label="Selecionar todas as falhas"
            checked={isAll}
            partly={selected.length > 0 && !isAll}
            disabled={choosable.length === 0}
            onChange={selectAll}
          />
          <span className={`small muted ${styles.count}`}>
            <label htmlFor={allId}>
              {data.length < total.count
                ? `Selecionar as ${formatCount(data.length)} primeiras`
                : "Selecionar todas"}
            </label>
            <span role="status">
              {selected.length > 0
                ? `${counted(selected.length, "falha selecionada", "falhas selecionadas")} · ${formatMoney(sum(selected))}`
                : null}
            </span>
          </span>
          {mayReturn ? (
            <Button size="sm" disabled={selected.length === 0} onClick={() => setWay("give_back")}>
              Devolver
            </Button>
          ) : null}
          {mayRetry ? (
            <Button
              size="sm"
              look="primary"
              disabled={retriable.length === 0}
              onClick={() => setWay("retry")}
            >
              Tentar de novo
            </Button>
          ) : null}
        </div>
      ) : null}
      {refused.length > 0 ? (
        <Notice
          tone="yellow"
          title={`${counted(refused.length, "pagamento ficou", "pagamentos ficaram")} como estava.`}
        >
          <ul className={`small ${styles.refused}`}>
            {refused.map(({ id, reason }) => (
              <li key={id}>
                {nameOf(data.find((one) => one.id === id))}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <LongList
        rows={data}
        first={shownAtOnce}
        step={shownAtOnce}
        keyOf={({ id }) => id}
        label="Falhas"
        rowClassName={styles.row ?? ""}
        moreClassName={styles.more ?? ""}
      >
        {(one) => (
          <>
            {mayChoose ? (
              <Checkbox
                label={`Selecionar ${nameOf(one)}, ${formatMoney(one.value)}`}
                checked={isSelected(one)}
                disabled={one.waits_for_approval}
                onChange={(on) => select(one, on)}
              />
            ) : (
              <span />
            )}
            <div className={styles.text}>
              <span className="strong">{nameOf(one)}</span>
              <span className="small muted">{one.to}</span>
              <span className={`small ${styles.reason}`}>
                {one.reason ?? "O banco não informou o motivo."}
              </span>
              {one.waits_for_approval ? (
                <StatusPill color="yellow" shape="dot">
                  Aguarda aprovação
                </StatusPill>
              ) : one.retry_problem ? (
                <span className="small">Corrija antes de tentar de novo: {one.retry_problem}</span>
              ) : null}
              {one.retry_checks.map((text) => (
                <span key={text} className="small">
                  Confira antes de tentar de novo: {text}
                </span>
              ))}
            </div>
            <span className="num strong">{formatMoney(one.value)}</span>
            <Button size="sm" look="quiet" onClick={() => onOpen(one.id)}>
              {mayRetry ? "Corrigir" : "Ver"}
            </Button>
          </>
        )}
      </LongList>
      {way ? (
        <ResolveDialog
          batchId={batchId}
          way={way}
          failures={failures}
          chosen={way === "retry" ? retriable : selected}
          onDone={(refused) => {
            setRefused(refused);
            clear();
          }}
          onClose={() => setWay(undefined)}
        />
      ) : null}
    </section>
  );
}

const sum = (rows: readonly Failure[]) => rows.reduce((total, { value }) => total + value, 0);
const nameOf = (one: Failure | undefined) => one?.name ?? "Sem nome";

/** Explains what this person may do, and whom to ask about the rest. */
function whatToDo({ retry, give_back, ask }: Failures): string {
  const admins = ask.length > 0 ? `Administradores: ${ask.join(", ")}.` : "";
  if (!retry.allowed && !give_back.allowed) return `${retry.why_not ?? ""} ${admins}`.trim();
  const held = "O valor continua separado no lote até ser reenviado ou devolvido ao saldo.";
  if (!retry.allowed) return `${held} ${retry.why_not ?? ""} ${admins}`.trim();
  const waits = retry.waits_for_approval
    ? `O que você reenviar espera a aprovação de outra pessoa. ${admins}`
    : "";
  const noGiving = give_back.allowed
    ? ""
    : `${give_back.why_not ?? ""} ${retry.waits_for_approval ? "" : admins}`;
  return [held, waits, noGiving].join(" ").replace(/\s+/g, " ").trim();
}
