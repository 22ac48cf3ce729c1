import type { ResponseOf } from "@malote/contracts/contract";
import type { listFiles } from "@malote/contracts/files";
import type { NotificationItem } from "@malote/contracts/notifications";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { pathOf } from "../shell/routes.ts";
import { Button } from "../ui/button.tsx";
import { chipClass } from "../ui/chip.tsx";
import { counted, formatDateTime, formatNear } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Popover } from "../ui/popover.tsx";
import { filesQuery, notificationsQuery, useDownload, useMarkSeen } from "./api.ts";
import { wordsOf } from "./notification-words.ts";
import styles from "./notifications.module.css";

interface BellPanelProps {
  anchor: RefObject<HTMLElement | null>;
  /** Number of items of work that wait for the person. */
  toDo: number;
  onClose: () => void;
}

const width = 420;

export default function BellPanel({ anchor, toDo, onClose }: BellPanelProps) {
  const [shown, setShown] = useState<"notifications" | "files">("notifications");
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <Popover
      anchor={anchor}
      align="end"
      width={width}
      role="dialog"
      aria-label="Arquivos e avisos"
      className={styles.panel}
      onClose={onClose}
    >
      <div className={styles.chips}>
        {(["notifications", "files"] as const).map((part) => (
          <button
            key={part}
            ref={part === "notifications" ? first : undefined}
            type="button"
            className={chipClass(shown === part)}
            aria-pressed={shown === part}
            onClick={() => setShown(part)}
          >
            {part === "notifications" ? "Avisos" : "Arquivos"}
          </button>
        ))}
      </div>
      {shown === "notifications" ? <Notifications toDo={toDo} onClose={onClose} /> : <Files />}
    </Popover>
  );
}

function Notifications({ toDo, onClose }: Pick<BellPanelProps, "toDo" | "onClose">) {
  const query = useQuery(notificationsQuery);
  const { mutate: markSeen } = useMarkSeen();
  // Snapshot at opening, so that the marks of new notifications stay while the person reads.
  const [opened, setOpened] = useState(query.data);
  const listed = opened ?? query.data;
  const newest = listed?.data[0]?.position;
  useEffect(() => setOpened((before) => before ?? query.data), [query.data]);
  useEffect(() => {
    if (newest !== undefined && (opened?.unseen ?? 0) > 0) markSeen(newest);
  }, [newest, opened?.unseen, markSeen]);
  const failed = "Não foi possível carregar os avisos";
  if (!listed)
    return query.isError ? (
      <FailedQuery title={failed} query={query} />
    ) : (
      <Loading label="Carregando os avisos" />
    );
  return (
    <>
      {query.isError ? <FailedNotice title={failed} query={query} /> : null}
      {toDo > 0 ? (
        <Link to={pathOf("HomePage")} className={styles.toDo ?? ""} onClick={onClose}>
          {counted(toDo, "item para fazer", "itens para fazer")}
        </Link>
      ) : null}
      {listed.data.length === 0 ? (
        <p className={styles.none}>
          Nenhum aviso. Aprovações, devoluções e lotes que terminam aparecem aqui.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Avisos">
          {listed.data.map((item) => (
            <NotificationLine key={item.position} item={item} onClose={onClose} />
          ))}
        </ul>
      )}
    </>
  );
}

function NotificationLine({ item, onClose }: { item: NotificationItem; onClose: () => void }) {
  const { title, detail, to, tone } = wordsOf(item);
  return (
    <li data-new={item.is_new || undefined}>
      <Link to={to} className={styles.line ?? ""} data-tone={tone} onClick={onClose}>
        <span className={styles.title}>
          {item.is_new ? <span className="sr-only">Novo: </span> : null}
          {title}
        </span>
        {detail ? <span className="small muted">{detail}</span> : null}
        <span className="small faint">
          {formatNear(item.at)}
          {item.batch?.is_own ? " · seu lote" : ""}
        </span>
      </Link>
    </li>
  );
}

type FileOfList = ResponseOf<typeof listFiles>["data"][number];

function Files() {
  const query = useQuery(filesQuery);
  const failed = "Não foi possível carregar os arquivos";
  if (!query.data)
    return query.isError ? (
      <FailedQuery title={failed} query={query} />
    ) : (
      <Loading label="Carregando os arquivos" />
    );
  return (
    <>
      {query.isError ? <FailedNotice title={failed} query={query} /> : null}
      {query.data.data.length === 0 ? (
        <p className={styles.none}>
          Nenhum arquivo. Extratos, relatórios e comprovantes que você pedir ficam aqui.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Arquivos">
          {query.data.data.map((file) => (
            <FileLine key={file.id} file={file} />
          ))}
        </ul>
      )}
    </>
  );
}

function FileLine({ file }: { file: FileOfList }) {
  const download = useDownload();
  const { id, kind, name, state } = file;
  return (
    <li className={styles.file}>
      <span className={styles.title}>{name}</span>
      <span className="small muted">
        {stateOf(file)}
        <span className="faint"> · pedido {formatNear(file.requested_at)}</span>
      </span>
      {state === "ready" ? (
        <Button
          size="sm"
          busy={download.isPending}
          aria-label={`Baixar ${name}`}
          onClick={() => download.mutate({ kind, id, name })}
        >
          Baixar
        </Button>
      ) : null}
    </li>
  );
}

function stateOf({ state, expires_at }: FileOfList): string {
  switch (state) {
    case "making":
      return "Em preparação";
    case "ready":
      return `Disponível até ${formatDateTime(expires_at)}`;
    case "expired":
      return "O prazo para baixar acabou: peça de novo";
    case "failed":
      return "Não foi possível preparar: peça de novo";
  }
}

function Loading({ label }: { label: string }) {
  return (
    <LoadingState label={label}>
      <Bone height={44} />
      <Bone height={44} />
      <Bone height={44} />
    </LoadingState>
  );
}
