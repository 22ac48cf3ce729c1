import { IconChartBar, IconRefresh, IconTable } from "@tabler/icons-react";
import { useId } from "react";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Chart } from "./chart.tsx";
import { FigureTable } from "./figure-table.tsx";
import { type Figure, isBlank } from "./figures.ts";
import styles from "./indicators.module.css";
import { Legend } from "./legend.tsx";

interface FigureCardProps {
  title: string;
  help: string;
  /** Undefined while loading, or when its call failed (IND-015). */
  figure: Figure | undefined;
  failed: boolean;
  refetching: boolean;
  onRetry: () => void;
  asTable: boolean;
  onAsTable: (asTable: boolean) => void;
}

/** Shows one indicator: loading, without data, or content, as a chart or as a table. */
export function FigureCard(props: FigureCardProps) {
  const { title, help, figure, failed, refetching, onRetry, asTable, onAsTable } = props;
  const headingId = useId();
  const blank = failed || (figure !== undefined && isBlank(figure));
  return (
    <section
      className={`panel ${styles.card}`}
      aria-labelledby={headingId}
      aria-busy={refetching || undefined}
    >
      <header className={styles.head}>
        <div>
          <h2 id={headingId}>{title}</h2>
          <p className="small faint">{help}</p>
        </div>
        {figure && !blank ? (
          <Button
            size="sm"
            look="quiet"
            icon={asTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
            onClick={() => onAsTable(!asTable)}
            aria-label={`${asTable ? "Ver como gráfico" : "Ver como tabela"}: ${title}`}
            title={asTable ? "Ver como gráfico" : "Ver como tabela"}
          >
            <span className={styles.toggleText}>{asTable ? "Ver como gráfico" : "Ver como tabela"}</span>
          </Button>
        ) : null}
      </header>
      <div className={styles.body} data-dim={refetching || undefined}>
        {blank ? (
          <EmptyState
            drawing="chart"
            title="Sem dados a exibir"
            headingLevel="h3"
            action={
              failed ? (
                <Button
                  size="sm"
                  icon={<IconRefresh size={16} aria-hidden />}
                  busy={refetching}
                  onClick={onRetry}
                  aria-label={`Tentar de novo: ${title}`}
                >
                  Tentar de novo
                </Button>
              ) : null
            }
          />
        ) : figure === undefined ? (
          <LoadingState label={`Carregando: ${title}`}>
            <Bone height={232} />
          </LoadingState>
        ) : asTable ? (
          <FigureTable title={title} figure={figure} />
        ) : (
          <div className={figure.kind === "doughnut" ? styles.besides : styles.above}>
            <Chart title={title} figure={figure} />
            <Legend figure={figure} />
          </div>
        )}
      </div>
    </section>
  );
}
