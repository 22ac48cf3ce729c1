import { errorText } from "@malote/contracts/errors";
import type { CalendarDate } from "@malote/domain/calendar";
import { refusePeriod } from "@malote/domain/indicators";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import { errorSentence, generalText } from "../shell/call.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { daysOfMonth, formatMonth, todayIn } from "../ui/format.ts";
import { MonthPicker } from "../ui/month-picker.tsx";
import { Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  byStatusQuery,
  type Period,
  perBankQuery,
  perDayQuery,
  perMonthQuery,
  perReasonQuery,
} from "./api.ts";
import { FigureCard } from "./figure-card.tsx";
import {
  type Figure,
  figureByStatus,
  figureOfFailedBanks,
  figurePerBank,
  figurePerDay,
  figurePerMonth,
  figurePerReason,
} from "./figures.ts";
import styles from "./indicators.module.css";
import { type CardName, cardNames, indicatorsSearch } from "./search.ts";

export default function IndicatorsPage() {
  const [{ de, ate, tabela }, change] = usePageSearch(indicatorsSearch);
  const period: Period = { startDate: daysOfMonth(de).initialDate, endDate: daysOfMonth(ate).endDate };
  const refusal = refusePeriod(period.startDate as CalendarDate, period.endDate as CalendarDate);
  return (
    <div className={styles.page}>
      <PageHeader
        title="Indicadores"
        subtitle={
          de === ate ? `Pagamentos de ${formatMonth(de)}` : `De ${formatMonth(de)} a ${formatMonth(ate)}`
        }
        actions={
          <fieldset className={`${styles.range} no-print`}>
            <legend className="sr-only">Período</legend>
            <MonthPicker label="Mês inicial" value={de} onChange={(month) => change({ de: month })} />
            <span className={styles.until}>
              <span aria-hidden>a</span>
              <MonthPicker label="Mês final" value={ate} onChange={(month) => change({ ate: month })} />
            </span>
          </fieldset>
        }
      />
      {refusal ? (
        <Notice
          alert
          tone="red"
          title={errorText(refusal)}
          action={
            <Button size="sm" onClick={() => change({ de: null, ate: null })}>
              Ver o mês atual
            </Button>
          }
        />
      ) : (
        <Cards
          period={period}
          tables={tabela}
          onTables={(names) => change({ tabela: names }, { replace: true })}
        />
      )}
    </div>
  );
}

interface CardsProps {
  period: Period;
  tables: readonly CardName[];
  onTables: (names: CardName[]) => void;
}

function Cards({ period, tables, onTables }: CardsProps) {
  const months = useQuery(perMonthQuery(period));
  const days = useQuery(perDayQuery(period));
  const finished = useQuery(perBankQuery(period, "finished"));
  const returned = useQuery(perBankQuery(period, "returned"));
  const counts = useQuery(byStatusQuery(period));
  const reasons = useQuery(perReasonQuery(period));
  useFailureToasts([months, days, finished, returned, counts, reasons]);

  const today = todayIn();
  const card = (name: CardName, calls: readonly UseQueryResult[], figure: Figure | undefined) => {
    const failed = calls.some(({ isError }) => isError);
    return {
      figure: failed ? undefined : figure,
      failed,
      refetching: calls.some(
        ({ isFetching, isPlaceholderData, isError }) => isFetching && (isPlaceholderData || isError),
      ),
      onRetry: () => {
        for (const call of calls) if (call.isError) void call.refetch();
      },
      asTable: tables.includes(name),
      onAsTable: (asTable: boolean) =>
        onTables(cardNames.filter((one) => (one === name ? asTable : tables.includes(one)))),
    };
  };
  const perMonth = useMemo(() => months.data && figurePerMonth(months.data), [months.data]);
  const perDay = useMemo(() => days.data && figurePerDay(days.data, today), [days.data, today]);
  const perBank = useMemo(() => finished.data && figurePerBank(finished.data), [finished.data]);
  const failedBanks = useMemo(
    () => finished.data && returned.data && figureOfFailedBanks(finished.data, returned.data),
    [finished.data, returned.data],
  );
  const byStatus = useMemo(() => counts.data && figureByStatus(counts.data), [counts.data]);
  const perReason = useMemo(() => reasons.data && figurePerReason(reasons.data), [reasons.data]);

  return (
    <div className={styles.cards}>
      <FigureCard
        title="Pagamentos por mês"
        help="Que chegaram ao recebedor"
        {...card("mes", [months], perMonth)}
      />
      <FigureCard
        title="Pagamentos por dia"
        help="Que chegaram ao recebedor"
        {...card("dia", [days], perDay)}
      />
      <FigureCard
        title="Pagamentos por banco"
        help="Finalizados, pelo banco do recebedor"
        {...card("banco", [finished], perBank)}
      />
      <FigureCard
        title="Falhas por banco"
        help="Finalizados e devolvidos, pelo banco do recebedor"
        {...card("falhas-por-banco", [finished, returned], failedBanks)}
      />
      <FigureCard
        title="Finalizado x Devolvido"
        help="Como os pagamentos terminaram"
        {...card("situacao", [counts], byStatus)}
      />
      <FigureCard
        title="Principais motivos de falhas"
        help="De pagamentos com falha ou devolvidos"
        {...card("motivos", [reasons], perReason)}
      />
    </div>
  );
}

/**
 * IND-015: shows each failure once, and none of an earlier visit. Several calls that fail for one cause share one
 * message; a failure without a code of ours gets the general sentence.
 */
function useFailureToasts(calls: readonly UseQueryResult[]): void {
  const failedAt = calls.map(({ errorUpdatedAt }) => errorUpdatedAt);
  const toasted = useRef(failedAt);
  const toastNewFailures = useEffectEvent(() => {
    const newFailures = calls.filter(({ errorUpdatedAt }, at) => errorUpdatedAt !== toasted.current[at]);
    toasted.current = failedAt;
    const texts = new Set(
      newFailures.map(({ error }) => (error ? errorSentence(error, generalText) : undefined)),
    );
    for (const text of texts) if (text) toast.bad(text);
  });
  const moments = failedAt.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new failure is recognised by its moment alone
  useEffect(() => toastNewFailures(), [moments]);
}
