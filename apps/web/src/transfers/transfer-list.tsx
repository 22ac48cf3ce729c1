import type { ResponseOf } from "@malote/contracts/contract";
import type { listTransfers, Transfer } from "@malote/contracts/transfers";
import { paymentsShownAtOnce } from "@malote/domain/limits";
import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { formatCount } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { type TransferFilters, transferPageQuery } from "./api.ts";
import styles from "./transfer-list.module.css";
import { rowState, TransferRow } from "./transfer-row.tsx";

/** Shorter lists are drawn whole, so the browser's own search and printing work on them. */
const drawnWholeMax = 100;
const rowHeight = 61;

interface TransferListProps {
  batchId: string;
  filters: TransferFilters;
  pollMs: number | false;
  onOpen: (transfer: Transfer) => void;
  /** What to show when nothing is found. */
  empty: ReactNode;
  /** The panel under a bad row, and which row has it open; `undefined` is the first one. */
  repair?: {
    openId: string | null | undefined;
    onToggle: (id: string | null) => void;
    panel: (transfer: Transfer) => ReactNode;
  };
}

/**
 * The payments of a batch (BAT-037). Only the pages of rows in sight are asked for, and only the rows in sight are
 * drawn, so fifty thousand cost what fifty cost.
 */
export function TransferList(props: TransferListProps) {
  const { batchId, filters, pollMs } = props;
  const first = useQuery(transferPageQuery(batchId, filters, 0, { pollMs }));
  const [shownMax, setShownMax] = useState(paymentsShownAtOnce);
  if (first.isPending) return <LoadingRows />;
  if (first.isError && !first.data) {
    return (
      <ErrorState
        title="Não foi possível carregar os pagamentos"
        message={errorSentence(first.error)}
        requestId={first.error instanceof CallError ? first.error.requestId : undefined}
        onRetry={() => void first.refetch()}
        busy={first.isFetching}
      />
    );
  }
  const total = first.data.metadata.pagination.totalItems;
  if (total === 0) return props.empty;
  const shown = Math.min(total, shownMax);
  return (
    <>
      <div
        className={`panel ${styles.list} ${first.isPlaceholderData ? styles.dim : ""}`}
        aria-busy={first.isPlaceholderData}
      >
        <Rows {...props} first={first} count={shown} total={total} />
      </div>
      <div className={styles.more}>
        <span className="small muted num" role="status">
          {shown === total
            ? `${formatCount(total)} ${total === 1 ? "transferência" : "transferências"}`
            : `${formatCount(shown)} de ${formatCount(total)} transferências`}
        </span>
        {shown < total ? (
          <span style={{ display: "flex", gap: 8, flexWrap: "wrap" }}>
            {total - shown > paymentsShownAtOnce ? (
              <Button look="quiet" onClick={() => setShownMax(total)}>
                Mostrar todas
              </Button>
            ) : null}
            <Button onClick={() => setShownMax(shown + paymentsShownAtOnce)}>
              Mostrar mais transferências
            </Button>
          </span>
        ) : null}
      </div>
    </>
  );
}

interface RowsProps extends TransferListProps {
  first: UseQueryResult<ResponseOf<typeof listTransfers>>;
  count: number;
  total: number;
}

function Rows(props: RowsProps) {
  return props.count <= drawnWholeMax ? <WholeRows {...props} /> : <VirtualRows {...props} />;
}

/** The rows of these pages; a row whose page has not come yet is undefined. */
function usePages(props: RowsProps, pages: readonly number[]): (index: number) => Transfer | undefined {
  const { batchId, filters, pollMs, first } = props;
  const further = pages.filter((page) => page > 0);
  const answers = useQueries({
    queries: further.map((page) => transferPageQuery(batchId, filters, page, { pollMs })),
  });
  return (index) => {
    const page = Math.floor(index / paymentsShownAtOnce);
    const data = page === 0 ? first.data : answers[further.indexOf(page)]?.data;
    return data?.data[index % paymentsShownAtOnce];
  };
}

const pagesOf = (from: number, to: number): number[] => {
  const [start, end] = [Math.floor(from / paymentsShownAtOnce), Math.floor(to / paymentsShownAtOnce)];
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
};

function WholeRows(props: RowsProps) {
  const rowAt = usePages(props, pagesOf(0, props.count - 1));
  return (
    <ul aria-label="Pagamentos do lote">
      {Array.from({ length: props.count }, (_, index) => {
        const transfer = rowAt(index);
        return (
          <li key={transfer?.id ?? `row-${index}`} aria-posinset={index + 1} aria-setsize={props.total}>
            <Item {...props} index={index} transfer={transfer} />
          </li>
        );
      })}
    </ul>
  );
}

function VirtualRows(props: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [scroll, setScroll] = useState<{ box: HTMLElement; margin: number } | null>(null);
  useLayoutEffect(() => {
    const box = list.current?.closest<HTMLElement>("[data-scroll]");
    if (!box || !list.current) return;
    const margin = list.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    setScroll({ box, margin });
  }, []);
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => scroll?.box ?? null,
    estimateSize: () => rowHeight,
    scrollMargin: scroll?.margin ?? 0,
    overscan: 12,
  });
  const rows = virtual.getVirtualItems();
  const [from, to] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  const rowAt = usePages(props, pagesOf(from, to));
  return (
    <ul
      ref={list}
      aria-label="Pagamentos do lote"
      className={styles.virtual}
      style={{ height: virtual.getTotalSize() }}
    >
      {rows.map(({ index, start, key }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={props.total}
          style={{ transform: `translateY(${start - (scroll?.margin ?? 0)}px)` }}
        >
          <Item {...props} index={index} transfer={rowAt(index)} />
        </li>
      ))}
    </ul>
  );
}

function Item({
  transfer,
  index,
  onOpen,
  repair,
}: RowsProps & { transfer: Transfer | undefined; index: number }) {
  if (!transfer) return <BoneRow />;
  const isBad = transfer.errors.length > 0;
  const opened = Boolean(
    repair && isBad && (repair.openId === undefined ? index === 0 : repair.openId === transfer.id),
  );
  return (
    <div className={styles.item} data-state={rowState(transfer)}>
      <TransferRow
        transfer={transfer}
        onOpen={onOpen}
        {...(repair && isBad
          ? { repair: { opened, toggle: () => repair.onToggle(opened ? null : transfer.id) } }
          : {})}
      />
      {opened ? repair?.panel(transfer) : null}
    </div>
  );
}

const boneKeys = ["a", "b", "c", "d", "e"];

function LoadingRows() {
  return (
    <LoadingState label="Carregando os pagamentos">
      <div className={`panel ${styles.list}`}>
        {boneKeys.map((key) => (
          <BoneRow key={key} />
        ))}
      </div>
    </LoadingState>
  );
}

function BoneRow() {
  return (
    <div className={styles.bone}>
      <Bone width={36} height={36} />
      <Bone width="60%" height={18} />
      <Bone height={18} />
    </div>
  );
}
