import type { History, HistoryEntry } from "@malote/contracts/history";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { FailedNotice } from "../shell/failed-query.tsx";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import type { payinHistoryQuery, paymentHistoryQuery } from "./api.ts";
import styles from "./history.module.css";
import { actorOf, reasonOf, wordsOf } from "./words.ts";

interface HistorySectionProps {
  query: ReturnType<typeof paymentHistoryQuery> | ReturnType<typeof payinHistoryQuery>;
}

/** Lists the events of one object, newest first. */
export function HistorySection({ query }: HistorySectionProps) {
  const heading = useId();
  const asked = useInfiniteQuery(query);
  const [first] = asked.data?.pages ?? [];
  const entries = asked.data?.pages.flatMap(({ items }) => items);
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h3 id={heading} className={styles.title}>
        Histórico
      </h3>
      {asked.isError ? <FailedNotice title="Não foi possível carregar o histórico" query={asked} /> : null}
      {entries && first ? (
        <Moments entries={entries} keptSince={first.kept_since} missing={first.missing} />
      ) : asked.isError ? null : (
        <LoadingState label="Carregando o histórico">
          <Bone height={96} />
        </LoadingState>
      )}
      {asked.hasNextPage ? (
        <div>
          <Button size="sm" busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            Mostrar mais
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const isBeginning = ({ what }: HistoryEntry) => what === "payment.created" || what === "payin.created";

interface MomentsProps {
  entries: readonly HistoryEntry[];
  keptSince: History["kept_since"];
  missing: History["missing"];
}

/** Late entries arrive by themselves; failed ones arrive once their cause is fixed. */
const missingWords: Readonly<Record<NonNullable<History["missing"]>, string>> = {
  late: "O histórico está sendo atualizado. Até lá, pode faltar algo do que aconteceu, ou aparecer só a data.",
  stuck:
    "Por uma falha do sistema, o histórico não está completo: pode faltar algo do que aconteceu, ou aparecer só a data. O que falta aparece aqui quando a falha for corrigida. A situação mostrada acima está certa.",
};

function Moments({ entries, keptSince, missing }: MomentsProps) {
  const begins = entries.findLast(({ kept }) => kept);
  // The history may be newer than the row; it is incomplete only before its first stored entry.
  const incomplete = entries.filter(
    (entry) => !entry.kept && !isBeginning(entry) && (begins === undefined || entry.at < begins.at),
  );
  const isOld = incomplete.some(({ at }) => keptSince !== null && at < keptSince);
  return (
    <>
      {missing ? <p className={styles.note}>{missingWords[missing]}</p> : null}
      {entries.length > 0 ? (
        <ol className={styles.moments}>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two moments may be alike in everything, and a list is only added to.
            <Moment key={entries.length - index} entry={entry} />
          ))}
        </ol>
      ) : null}
      {entries.every(isBeginning) && missing === null ? (
        <p className={styles.note}>Nada aconteceu depois disso. O que acontecer aparece aqui.</p>
      ) : null}
      {isOld ? (
        <p className={styles.note}>
          {begins
            ? `O histórico completo começa em ${formatDateTime(begins.at)}. Do que veio antes, só estas datas são conhecidas.`
            : "Isto aconteceu antes de o histórico existir: só estas datas são conhecidas."}
        </p>
      ) : null}
      {incomplete.length > 0 && !isOld && missing === null ? (
        <p className={styles.note}>De parte do que aconteceu, só as datas foram guardadas.</p>
      ) : null}
    </>
  );
}

function Moment({ entry }: { entry: HistoryEntry }) {
  const { tone, text } = wordsOf(entry);
  const reason = reasonOf(entry);
  const actor = actorOf(entry);
  return (
    <li className={styles.moment} data-tone={tone}>
      <p className={styles.text}>{text}</p>
      {reason ? <p className={styles.reason}>{reason}</p> : null}
      <p className={styles.when}>
        <time dateTime={entry.at} className="num">
          {formatDateTime(entry.at)}
        </time>
        {actor ? <span> · {actor}</span> : null}
      </p>
    </li>
  );
}
