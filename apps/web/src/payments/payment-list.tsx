import { paymentsShownAtOnce } from "@malote/domain/limits";
import { type QueryKey, type UseQueryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { Button } from "../ui/button.tsx";
import { counted, formatCount } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import styles from "./payment-list.module.css";

/** Shorter lists are drawn as a whole, so the browser's own search and printing work on them. */
const drawnWholeMax = 100;
const rowHeight = 61;

/** Answer with 50 payments. */
interface AnyPage {
  data: { id: string }[];
  metadata: { pagination: { totalItems: number } };
}
type PaymentOf<Page extends AnyPage> = Page["data"][number];
type Failed = Parameters<typeof FailedNotice>[0]["query"];

interface PaymentListProps<Page extends AnyPage> {
  /** One page of 50, counted from 0. */
  pageQuery: (page: number) => UseQueryOptions<Page, Error, Page, QueryKey>;
  /** Nouns of the rows: `transferência`, `transferências`, and `todas` of them. */
  words: { one: string; many: string; all: string };
  row: (payment: PaymentOf<Page>, index: number) => ReactNode;
  hasFailed: (payment: PaymentOf<Page>) => boolean;
  /** Content of a list without results. */
  empty: ReactNode;
}

/**
 * Payments of a batch, 50 at first and 50 more on request (BAT-037, BAT-038). Fetches only the pages of visible rows,
 * and draws only the visible rows, so fifty thousand cost what fifty cost.
 */
export function PaymentList<Page extends AnyPage>(props: PaymentListProps<Page>) {
  const { pageQuery, words } = props;
  const first = useQuery(pageQuery(0));
  const [shownMax, setShownMax] = useState(paymentsShownAtOnce);
  const [failedPage, setFailedPage] = useState<Failed>();
  if (!first.data) {
    return first.isError ? (
      <FailedQuery title="Não foi possível carregar os pagamentos" query={first} />
    ) : (
      <LoadingRows />
    );
  }
  const total = first.data.metadata.pagination.totalItems;
  if (total === 0) return props.empty;
  const shown = Math.min(total, shownMax);
  // SES-070: an error ends the polling of a page.
  const failed = first.isError ? first : failedPage;
  return (
    <>
      {failed ? <FailedNotice title="Não foi possível atualizar os pagamentos" query={failed} /> : null}
      <div
        className={`panel ${styles.list} ${first.isPlaceholderData ? styles.dim : ""}`}
        aria-busy={first.isPlaceholderData}
      >
        <Rows {...props} first={first.data} count={shown} total={total} onFailed={setFailedPage} />
      </div>
      <div className={styles.more}>
        <span className="small muted num" role="status">
          {shown === total
            ? counted(total, words.one, words.many)
            : `${formatCount(shown)} de ${formatCount(total)} ${words.many}`}
        </span>
        {shown < total ? (
          <span style={{ display: "flex", gap: 8, flexWrap: "wrap" }}>
            {total - shown > paymentsShownAtOnce ? (
              <Button look="quiet" onClick={() => setShownMax(total)}>
                Mostrar {words.all}
              </Button>
            ) : null}
            <Button onClick={() => setShownMax(shown + paymentsShownAtOnce)}>
              Mostrar mais {words.many}
            </Button>
          </span>
        ) : null}
      </div>
    </>
  );
}

interface RowsProps<Page extends AnyPage> extends PaymentListProps<Page> {
  first: Page;
  count: number;
  total: number;
  /** Receives a further page that could not be read, and undefined once it is. */
  onFailed: (page: Failed | undefined) => void;
}

function Rows<Page extends AnyPage>(props: RowsProps<Page>) {
  // Measured on the rows drawn as a whole: on a phone a row takes more than twice the height.
  const height = useRef(rowHeight);
  return props.count <= drawnWholeMax ? (
    <WholeRows {...props} height={height} />
  ) : (
    <VirtualRows {...props} height={height} />
  );
}

interface DrawnProps<Page extends AnyPage> extends RowsProps<Page> {
  height: RefObject<number>;
}

/** Rows of these pages; a row whose page has not arrived is undefined. */
function usePages<Page extends AnyPage>(
  { pageQuery, first, onFailed }: RowsProps<Page>,
  pages: readonly number[],
): (index: number) => PaymentOf<Page> | undefined {
  const further = pages.filter((page) => page > 0);
  const answers = useQueries({ queries: further.map(pageQuery) });
  const failed = answers.find(({ isError }) => isError);
  const { error, isFetching } = failed ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render has its own answers, which differ in these
  useEffect(() => {
    onFailed(failed);
    return () => onFailed(undefined);
  }, [error, isFetching, onFailed]);
  return (index) => {
    const page = Math.floor(index / paymentsShownAtOnce);
    const data = page === 0 ? first : answers[further.indexOf(page)]?.data;
    return data?.data[index % paymentsShownAtOnce];
  };
}

const pagesOf = (from: number, to: number): number[] => {
  const [start, end] = [Math.floor(from / paymentsShownAtOnce), Math.floor(to / paymentsShownAtOnce)];
  return Array.from({ length: end - start + 1 }, (_, at) => start + at);
};

function WholeRows<Page extends AnyPage>(props: DrawnProps<Page>) {
  const { count, total, height } = props;
  const rowAt = usePages(props, pagesOf(0, count - 1));
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const drawn = list.current?.offsetHeight;
    if (drawn) height.current = drawn / count;
  });
  return (
    <ul ref={list} aria-label="Pagamentos do lote">
      {Array.from({ length: count }, (_, index) => {
        const payment = rowAt(index);
        return (
          <li key={payment?.id ?? `row-${index}`} aria-posinset={index + 1} aria-setsize={total}>
            <Item {...props} index={index} payment={payment} />
          </li>
        );
      })}
    </ul>
  );
}

interface Place {
  box: HTMLElement;
  /** Distance from the top of the scrolling element to the top of the list. */
  margin: number;
}

function placeOf(list: HTMLElement): Place | null {
  const box = list.closest<HTMLElement>("[data-scroll]");
  if (!box) return null;
  const margin = list.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  return { box, margin: Math.round(margin) };
}

/**
 * Position of the list in the scrolling element, measured again whenever anything above it changes its height. Failures
 * and checks arrive later than the payments, and a stale position would draw rows that are out of sight.
 */
function usePlace(list: RefObject<HTMLElement | null>): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const now = list.current && placeOf(list.current);
      setPlace((before) => (now && before?.box === now.box && before.margin === now.margin ? before : now));
    };
    measure();
    const content = list.current?.closest("[data-scroll]")?.firstElementChild;
    if (!content) return;
    const watch = new ResizeObserver(measure);
    watch.observe(content);
    return () => watch.disconnect();
  }, [list]);
  return place;
}

function VirtualRows<Page extends AnyPage>(props: DrawnProps<Page>) {
  const list = useRef<HTMLUListElement>(null);
  const place = usePlace(list);
  return (
    <ul
      ref={list}
      aria-label="Pagamentos do lote"
      className={styles.virtual}
      // Reserves the height of all rows, so that the scroll position is not moved up to a shorter list.
      style={{ height: props.count * props.height.current }}
    >
      {place ? <PlacedRows {...props} list={list} place={place} /> : null}
    </ul>
  );
}

interface PlacedProps<Page extends AnyPage> extends DrawnProps<Page> {
  list: RefObject<HTMLUListElement | null>;
  place: Place;
}

function PlacedRows<Page extends AnyPage>(props: PlacedProps<Page>) {
  const { place, list, height, total } = props;
  const virtual = useVirtualizer({
    count: props.count,
    getScrollElement: () => place.box,
    // Starts at the current scroll position; the default, the beginning, is far above for a person at the
    // end.
    initialOffset: () => place.box.scrollTop,
    estimateSize: () => height.current,
    scrollMargin: place.margin,
    overscan: 12,
  });
  const size = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (list.current) list.current.style.height = `${size}px`;
  }, [list, size]);
  const rows = virtual.getVirtualItems();
  const [from, to] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  const rowAt = usePages(props, pagesOf(from, to));
  return rows.map(({ index, start, key }) => (
    <li
      key={key}
      ref={virtual.measureElement}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ transform: `translateY(${start - place.margin}px)` }}
    >
      <Item {...props} index={index} payment={rowAt(index)} />
    </li>
  ));
}

function Item<Page extends AnyPage>({
  payment,
  index,
  row,
  hasFailed,
}: RowsProps<Page> & { payment: PaymentOf<Page> | undefined; index: number }) {
  if (!payment) return <BoneRow />;
  return (
    <div className={styles.item} data-failed={hasFailed(payment) || undefined}>
      {row(payment, index)}
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
