import type { Infraction } from "@malote/contracts/contestations";
import { refundNames, situationNames } from "@malote/domain/infraction";
import { formatTaxId } from "@malote/domain/tax-id";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useNamedPath } from "../shell/use-named-path.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import styles from "./contestations.module.css";
import { refundLooks } from "./looks.ts";
import { OpinionPill } from "./pills.tsx";

interface InfractionFactsProps {
  infraction: Infraction;
  monitoring: "monitored" | "finished" | undefined;
}

/** Shows what was reported, and what is returned. */
export function InfractionFacts({ infraction, monitoring }: InfractionFactsProps) {
  const { refund, txid } = infraction;
  const payinsPath = useNamedPath("ReceivablesPage");
  return (
    <section className={`panel ${styles.facts}`} aria-labelledby="infracao">
      <h2 id="infracao">O que foi contestado</h2>
      <p className={styles.amount}>
        <MoneyText cents={infraction.amount} />
      </p>
      <dl className={styles.lines}>
        <Line label="Pagador">{infraction.payer_name}</Line>
        <Line label="Documento">
          <span className="num">{infraction.payer_tax_id ? formatTaxId(infraction.payer_tax_id) : "–"}</span>
        </Line>
        {infraction.returnable_amount < infraction.amount ? (
          <Line label="Já devolvido ao pagador">
            <MoneyText cents={infraction.amount - infraction.returnable_amount} />
          </Line>
        ) : null}
        {infraction.payin_id && payinsPath ? (
          <Line label="Recebimento">
            <Link to={payinsPath} search={{ recebimento: infraction.payin_id }}>
              Ver o recebimento
            </Link>
          </Line>
        ) : null}
        <Line label="Tipo">{situationNames[infraction.situation_type]}</Line>
        <Line label="Data da infração">{formatDateTime(infraction.infraction_date)}</Line>
        <Line label="Prazo da resposta">{formatDateTime(infraction.analysis_due_date)}</Line>
        <Line label="Parecer">
          <OpinionPill code={infraction.status} />
        </Line>
        <Line label="ID Pix">
          <span className={styles.copied}>
            <span className={`num ${styles.long}`}>{infraction.transaction_id}</span>
            <CopyButton text={infraction.transaction_id} label="Copiar ID Pix" />
          </span>
        </Line>
        {txid ? (
          <Line label="ID integração">
            <span className={styles.copied}>
              <span className={`num ${styles.long}`}>{txid}</span>
              <CopyButton text={txid} label="Copiar ID integração" />
            </span>
          </Line>
        ) : null}
      </dl>
      {infraction.infraction_description ? (
        <>
          <h3>O que o pagador disse</h3>
          <p className={styles.words}>{infraction.infraction_description}</p>
        </>
      ) : null}
      {refund ? (
        <>
          <h3>Devolução</h3>
          <dl className={styles.lines}>
            <Line label="Situação">
              <span className={styles.states}>
                <StatusPill {...refundLooks[refund.status]}>{refundNames[refund.status]}</StatusPill>
                {monitoring ? (
                  <StatusPill
                    color={monitoring === "monitored" ? "yellow" : "green"}
                    shape={monitoring === "monitored" ? "ring" : "check"}
                  >
                    {monitoring === "monitored" ? "Em monitoramento" : "Finalizado"}
                  </StatusPill>
                ) : null}
              </span>
            </Line>
            <Line label="Valor devolvido">
              <MoneyText cents={refund.refunded_amount} />
            </Line>
            {refund.refund_date ? (
              <Line label="Última devolução">{formatDateTime(refund.refund_date)}</Line>
            ) : null}
            {refund.status === "pending" ? (
              <Line label="Monitorada até">{formatDateTime(refund.monitoring_end_date)}</Line>
            ) : null}
          </dl>
        </>
      ) : null}
    </section>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
