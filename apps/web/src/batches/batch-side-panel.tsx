import { isBusinessDay, saoPauloDate, saoPauloTime, tedCutOff } from "@malote/domain/calendar";
import type { PaymentMethod } from "@malote/domain/limits";
import { IconAlertTriangle, IconCheck, IconCircleX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { FailedNotice } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { counted, formatCount } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { systemNow } from "../ui/system-time.ts";
import styles from "./batch-screen.module.css";
import { batchChecksQuery } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";

const BatchChecksList = lazyPart(() => import("./batch-checks.tsx"));

const methodWords: Readonly<Record<string, string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Internas",
  BILLET: "Boletos",
} satisfies Record<PaymentMethod, string>;

export function BatchSidePanel({ desk }: { desk: BatchDesk }) {
  return (
    <>
      <Summary desk={desk} />
      {desk.view === "wizard" && desk.step === "form" && desk.batch.payments_count > 0 ? (
        <BeforeClosing desk={desk} />
      ) : null}
    </>
  );
}

function Summary({ desk }: { desk: BatchDesk }) {
  const { batch, summary } = desk;
  const figures = summary.data;
  const isOpen =
    batch.status === "DRAFT" || batch.status === "WAITING_APPROVAL" || batch.status === "WAITING";
  return (
    <section className={`panel ${styles.facts}`} aria-labelledby="batch-summary">
      <h2 id="batch-summary">Resumo dos pagamentos:</h2>
      {summary.isError ? <FailedNotice title="Não foi possível atualizar o resumo" query={summary} /> : null}
      {figures?.by_method.map(({ payment_method, count, value }) => (
        <Line
          key={payment_method}
          label={`${methodWords[payment_method] ?? payment_method} · ${formatCount(count)}`}
        >
          <MoneyText cents={value} />
        </Line>
      ))}
      <div className={`${styles.kv} ${styles.sum}`}>
        <span>Total do lote</span>
        <MoneyText cents={batch.value} />
      </div>
      {figures && figures.returned > 0 ? (
        <Line label="Total devolvido">
          <MoneyText cents={figures.returned} />
        </Line>
      ) : null}
      {figures && isOpen ? (
        <>
          <Line label="Saldo disponível">
            <MoneyText cents={figures.balance} />
          </Line>
          {figures.missing > 0 && !desk.isValidationAccount ? (
            <div className={`${styles.kv} ${styles.missing}`}>
              <span>Falta enviar</span>
              <MoneyText cents={figures.missing} />
            </div>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

export function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={`${styles.kv} muted`}>
      <span>{label}</span>
      {children}
    </div>
  );
}

/** Shows only what the server has checked, by the rules of this moment. */
function BeforeClosing({ desk }: { desk: BatchDesk }) {
  const { batch, summary } = desk;
  const checks = useQuery(batchChecksQuery(desk.id));
  const hasTed = summary.data?.by_method.some(({ payment_method }) => payment_method === "TED");
  const errors = checks.data?.errors_count ?? batch.errors_count;
  return (
    <section className={`panel ${styles.facts}`} aria-labelledby="batch-checks">
      <h2 id="batch-checks">Antes de fechar</h2>
      {errors === 0 ? (
        <Check tone="good">
          {batch.type === "BILLET"
            ? "Códigos, vencimentos e limites conferidos"
            : "Dados e limites por método conferidos"}
        </Check>
      ) : (
        <Check tone="bad">{counted(errors, "pagamento precisa", "pagamentos precisam")} de correção</Check>
      )}
      {hasTed ? <TedTime /> : null}
      <Suspense fallback={<Bone height={48} />}>
        <BatchChecksList desk={desk} />
      </Suspense>
      {checks.isError ? <Check tone="warn">Não foi possível conferir as datas agora</Check> : null}
    </section>
  );
}

const lookEveryMs = 20_000;

/** Time left to send a TED today, by the clock of São Paulo. */
function TedTime() {
  const [now, setNow] = useState(systemNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(systemNow()), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  const time = saoPauloTime(now);
  if (!isBusinessDay(saoPauloDate(now)))
    return <Check tone="warn">Hoje não é dia útil: TEDs vão no próximo</Check>;
  if (time > tedCutOff)
    return <Check tone="warn">TEDs de hoje encerradas às 16h30: vão no próximo dia útil</Check>;
  const left = minutesOf(tedCutOff) - minutesOf(time);
  return (
    <Check tone="good">
      TED até 16:30 de hoje · faltam {Math.floor(left / 60)}h{String(left % 60).padStart(2, "0")}
    </Check>
  );
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const icons = { good: IconCheck, warn: IconAlertTriangle, bad: IconCircleX };

function Check({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={styles.check} data-tone={tone}>
      <Icon size={18} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
