import { createBatch } from "@malote/contracts/batches";
import type { Home } from "@malote/contracts/home";
import { isBusinessDay, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { IconFileImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useNewBatch } from "../batches/api.ts";
import { NewBatchMenu } from "../batches/parts.ts";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { monthNames } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { systemNow } from "../ui/system-time.ts";
import { homeQuery } from "./api.ts";
import styles from "./home.module.css";
import { HomeRail } from "./home-rail.tsx";
import { WorkQueue } from "./work-queue.tsx";

export default function HomePage() {
  const session = useSession();
  const importPath = useNamedPath("ImportPage");
  const query = useQuery(homeQuery);
  const now = systemNow();
  const navigate = useNavigate();
  // The batch opens above the list, which remains when the person closes it.
  const { isStarting, startBatch } = useNewBatch(
    undefined,
    (id) => void navigate({ to: pathOf("BatchesPage"), search: { lote: id } }),
  );
  const mayStart = may(createBatch, session);
  return (
    <>
      <PageHeader
        title={`${greeting(now)}${session ? `, ${session.name.split(" ")[0]}` : ""}`}
        subtitle={longDay(now)}
        actions={
          mayStart ? (
            <>
              {importPath ? (
                <Link to={importPath} className={buttonClass()}>
                  <IconFileImport aria-hidden />
                  Importar planilha
                </Link>
              ) : null}
              <NewBatchMenu busy={isStarting} onChoose={startBatch} />
            </>
          ) : null
        }
      />
      {query.data ? (
        <>
          {query.isError ? <FailedNotice title={failed} query={query} /> : null}
          <div className={styles.home}>
            <Queue home={query.data} now={now} />
            <HomeRail home={query.data} />
          </div>
        </>
      ) : query.isError ? (
        <FailedQuery title={failed} query={query} />
      ) : (
        <LoadingState label="Carregando o que há para fazer">
          <div className={`panel ${styles.bones}`}>
            {["a", "b", "c", "d", "e"].map((key) => (
              <Bone key={key} height={36} />
            ))}
          </div>
        </LoadingState>
      )}
    </>
  );
}

const failed = "Não foi possível carregar o que há para fazer";

function Queue({ home, now }: { home: Home; now: Date }) {
  return (
    <section aria-labelledby="para-fazer" className={`panel ${styles.queue}`}>
      <h2 id="para-fazer" className={styles.heading}>
        Para fazer agora {home.count > 0 ? <span className="muted">{home.count}</span> : null}
      </h2>
      {home.count === 0 ? (
        <EmptyState drawing="batches" title="Nada espera por você">
          <p>
            Aprovações, falhas, contestações e lotes sem saldo aparecem aqui. Os lotes estão em{" "}
            <Link to={pathOf("BatchesPage")}>Seus lotes</Link>.
          </p>
        </EmptyState>
      ) : (
        <WorkQueue items={home.work} now={now} />
      )}
    </section>
  );
}

function greeting(now: Date): string {
  const hour = Number(saoPauloTime(now).slice(0, 2));
  if (hour < 5 || hour >= 18) return "Boa noite";
  return hour < 12 ? "Bom dia" : "Boa tarde";
}

const weekdays = [
  "Domingo",
  "Segunda-feira",
  "Terça-feira",
  "Quarta-feira",
  "Quinta-feira",
  "Sexta-feira",
  "Sábado",
];

/** Returns `Segunda-feira, 23 de novembro · dia útil bancário`. */
function longDay(now: Date): string {
  const today = saoPauloDate(now);
  const weekday = weekdays[new Date(`${today}T12:00:00Z`).getUTCDay()];
  const month = monthNames[Number(today.slice(5, 7)) - 1];
  const kind = isBusinessDay(today)
    ? "dia útil bancário"
    : "bancos fechados: o Pix funciona, TED e boleto não";
  return `${weekday}, ${Number(today.slice(8))} de ${month} · ${kind}`;
}
