import { createBatch } from "@malote/contracts/batches";
import type { BatchType } from "@malote/domain/batch-status";
import { IconPlus, IconReceipt } from "@tabler/icons-react";
import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { useNewBatch } from "../batches/api.ts";
import { RequestReceiptsDialog, requestReceiptsOf } from "../receipts/index.ts";
import { ListPage } from "../shell/list-page.tsx";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { type Column, DataTable, type TwoLines } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, formatMonth } from "../ui/format.ts";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { SelectionBar } from "../ui/selection-bar.tsx";
import { useSelection } from "../ui/use-selection.ts";
import styles from "./payments-page.module.css";
import type { PaymentsSearch, StatusWords } from "./payments-search.ts";

export interface Listed {
  id: string;
  receipt_url: string | null;
  bank_receipt_url: string | null;
}

interface Page<Row> {
  data: Row[];
  metadata: { pagination: { itemsPerPage: number; totalItems: number } };
}

interface Blankslate {
  data: boolean;
}

interface BankSelectProps {
  "aria-label": string;
  placeholder: string;
  allLabel: string;
  className: string;
  value: string;
  onChange: (ispb: string) => void;
}

interface PaymentsPageProps<Row extends Listed, Status extends string> {
  kind: BatchType;
  words: {
    title: string;
    one: string;
    many: string;
    searchLabel: string;
    failed: string;
    nothing: string;
    firstUse: string;
    firstUseText: string;
  };
  statusWords: StatusWords<Status>;
  search: PaymentsSearch<Status>;
  list: UseQueryResult<Page<Row>>;
  /** True when there has never been one; requested when the list is empty without a filter. */
  blankslateQuery: UseQueryOptions<Blankslate, Error, Blankslate, QueryKey>;
  /** Receipts of the whole filter, which the dialog requests. */
  receiptsQuery: {
    queryKey: readonly unknown[];
    queryFn: (context: { signal: AbortSignal }) => Promise<string[]>;
  };
  columns: readonly Column<Row>[];
  /** Grid areas of the columns in windows too narrow for one line; `receipt` is this page's own. */
  twoLines: TwoLines;
  nameOf: (row: Row) => string;
  BankSelect: ComponentType<BankSelectProps>;
  /** Actions beside the receipts: the export. */
  actions?: ReactNode;
  /** Dialog of the payment that is open. */
  OpenPayment: ComponentType<{ id: string; onClose: () => void }>;
}

/** TRF-062: only rows with a receipt can be selected. */
const hasReceipt = ({ receipt_url, bank_receipt_url }: Listed) => Boolean(receipt_url || bank_receipt_url);

/** Payments of one kind over all batches: 'Suas transferências' and 'Seus boletos' (TRF-049, BIL-030). */
export function PaymentsPage<Row extends Listed, Status extends string>(
  props: PaymentsPageProps<Row, Status>,
) {
  const { kind, words, statusWords, search, list, BankSelect, OpenPayment } = props;
  const { isFiltered, change, filter } = search;
  const { mes, busca, banco, status, detalhe } = search.values;
  const session = useSession();
  const [isChoosingReceipts, setChoosingReceipts] = useState(false);
  const { isStarting, startBatch } = useNewBatch(search.openBatch, search.onBatch);
  const total = list.data?.metadata.pagination.totalItems;
  const isEmpty = total === 0 && !isFiltered;
  const blankslate = useQuery({ ...props.blankslateQuery, enabled: isEmpty });
  const isFirstUse = isEmpty && blankslate.data?.data === true;

  const newBatch = may(createBatch, session) ? (
    <Button look="primary" busy={isStarting} icon={<IconPlus aria-hidden />} onClick={() => startBatch(kind)}>
      Novo lote
    </Button>
  ) : null;
  return (
    <>
      <ListPage
        search={search}
        query={list}
        loading={`Carregando ${words.many}`}
        failed={words.failed}
        header={
          <PageHeader
            title={words.title}
            subtitle={
              total === undefined
                ? sentence(formatMonth(mes))
                : `${sentence(formatMonth(mes))} · ${counted(total, words.one, words.many)}`
            }
            actions={
              isFirstUse ? null : (
                <>
                  {props.actions}
                  <Button icon={<IconReceipt aria-hidden />} onClick={() => setChoosingReceipts(true)}>
                    Baixar comprovantes
                  </Button>
                  {newBatch}
                </>
              )
            }
          />
        }
        filters={
          isFirstUse ? null : (
            <>
              <SearchField
                label={words.searchLabel}
                value={busca}
                onSearch={(text) => filter({ busca: text || null }, { replace: true })}
              />
              <MonthPicker value={mes} onChange={(month) => filter({ mes: month })} />
              <BankSelect
                aria-label="Banco"
                placeholder="Todos os bancos"
                allLabel="Todos os bancos"
                className={styles.bank ?? ""}
                value={banco ?? ""}
                onChange={(ispb) => filter({ banco: ispb || null })}
              />
              <ChoiceChip
                label="Status"
                allLabel="Todos os status"
                value={status}
                options={Object.entries(statusWords).map(([value, { label }]) => ({ value, label }))}
                onChange={(value) => filter({ status: value })}
              />
            </>
          )
        }
        emptyFace={({ metadata }) =>
          isFirstUse ? (
            <EmptyState drawing="batches" title={words.firstUse} action={newBatch}>
              <p>{words.firstUseText}</p>
            </EmptyState>
          ) : metadata.pagination.totalItems === 0 ? (
            <EmptyState drawing="search" title={words.nothing}>
              <p>Confira o mês escolhido ou limpe os filtros para ver outros pagamentos.</p>
            </EmptyState>
          ) : null
        }
        numbered={({ metadata }) => metadata.pagination}
      >
        {({ data }, key) => (
          // The selection belongs to its page (TRF-062).
          <PaymentsTable key={key} {...props} rows={data} />
        )}
      </ListPage>
      {isChoosingReceipts ? (
        <ReceiptsOfFilter
          kind={kind}
          query={props.receiptsQuery}
          onClose={() => setChoosingReceipts(false)}
        />
      ) : null}
      {detalhe ? (
        <Suspense>
          <OpenPayment key={detalhe} id={detalhe} onClose={() => change({ detalhe: null })} />
        </Suspense>
      ) : null}
    </>
  );
}

type TableProps<Row extends Listed, Status extends string> = PaymentsPageProps<Row, Status> & {
  rows: readonly Row[];
};

/** TRF-050, BIL-031: lists the payments of a page, and selects whose receipts to download. */
function PaymentsTable<Row extends Listed, Status extends string>(props: TableProps<Row, Status>) {
  const { kind, words, rows, columns, twoLines, nameOf, list, search } = props;
  const [isChoosingReceipts, setChoosingReceipts] = useState(false);
  const choosable = rows.filter(hasReceipt);
  const { selected, isAll, isSelected, select, selectAll } = useSelection(choosable);

  const receipt: Column<Row> = {
    id: "receipt",
    label: "Comprovante",
    width: 1.3,
    numeric: true,
    heading: (
      <span className={styles.heading}>
        <span>Comprovante</span>
        <Checkbox
          label="Selecionar todos os comprovantes desta página"
          checked={isAll}
          partly={selected.length > 0 && !isAll}
          disabled={choosable.length === 0}
          onChange={selectAll}
        />
      </span>
    ),
    cell: (row) => (
      <span className={styles.receipt}>
        <Checkbox
          label={`Selecionar o comprovante de ${nameOf(row)}`}
          checked={isSelected(row)}
          disabled={!hasReceipt(row)}
          onChange={(on) => select(row, on)}
        />
      </span>
    ),
  };
  return (
    <>
      <SelectionBar
        count={selected.length}
        words={["comprovante selecionado", "comprovantes selecionados"]}
        all={
          choosable.length > 0
            ? { label: "Selecionar comprovantes desta página", isSelected: isAll, onSelect: selectAll }
            : undefined
        }
      >
        <Button size="sm" icon={<IconReceipt aria-hidden />} onClick={() => setChoosingReceipts(true)}>
          Baixar selecionados
        </Button>
      </SelectionBar>
      <DataTable
        caption={words.title}
        columns={[...columns, receipt]}
        twoLines={twoLines}
        rows={rows}
        keyOf={({ id }) => id}
        onRow={({ id }) => search.change({ detalhe: id })}
        refetching={list.isPlaceholderData}
      />
      {isChoosingReceipts ? (
        <RequestReceiptsDialog
          count={{ data: selected.length, error: null, isPending: false }}
          of="selecionados"
          ask={async () => {
            await requestReceiptsOf(
              kind,
              selected.map(({ id }) => id),
            );
            selectAll(false);
          }}
          onClose={() => setChoosingReceipts(false)}
        />
      ) : null}
    </>
  );
}

interface ReceiptsOfFilterProps<Row extends Listed, Status extends string> {
  kind: BatchType;
  query: PaymentsPageProps<Row, Status>["receiptsQuery"];
  onClose: () => void;
}

/** TRF-063, BIL-035: everything the filter finds, not only the page. */
function ReceiptsOfFilter<Row extends Listed, Status extends string>(
  props: ReceiptsOfFilterProps<Row, Status>,
) {
  // Never cached, because a payment that settled a moment ago has a receipt too.
  const found = useQuery({ ...props.query, staleTime: 0, gcTime: 0 });
  return (
    <RequestReceiptsDialog
      count={{ data: found.data?.length, error: found.error, isPending: found.isPending }}
      of="desta busca"
      ask={() => requestReceiptsOf(props.kind, found.data ?? [])}
      onClose={props.onClose}
    />
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
