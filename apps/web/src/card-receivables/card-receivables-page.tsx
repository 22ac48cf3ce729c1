import {
  type Receivable,
  type ReceivableStatus,
  receivableStatuses,
  receivableStatusNames,
  requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { useQuery } from "@tanstack/react-query";
import { ExportButton } from "../payins/index.ts";
import { FailedNotice } from "../shell/failed-query.tsx";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { DayRange, readDays } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { counted, currentMonth, daysOfMonth, formatDate, formatDateTime, todayIn } from "../ui/format.ts";
import { ManyChip } from "../ui/many-chip.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { type PillLook, StatusPill } from "../ui/status-pill.tsx";
import { TotalCards } from "../ui/total-cards.tsx";
import { receivableListQuery, receivableReport, receivableTotalsQuery } from "./api.ts";

/** CRD-007: colour of each receivable status. */
const looks: Readonly<Record<ReceivableStatus, PillLook>> = {
  scheduled: { color: "yellow", shape: "dot" },
  received: { color: "green", shape: "check" },
  canceled: { color: "grey", shape: "dash" },
  refunded: { color: "red", shape: "ring" },
};
/**
 * CRD-003: receivables refunded after they arrived have no filter of their own; the list without filter and its total
 * contain them.
 */
const statusOptions = (["scheduled", "received", "canceled"] as const).map((value) => ({
  value,
  label: receivableStatusNames[value],
}));

function readSearch(raw: Record<string, string | undefined>) {
  const { from, until } = readDays(raw, daysOfMonth(currentMonth()));
  return {
    busca: raw["busca"]?.slice(0, 100) ?? "",
    de: from,
    ate: until,
    status: (raw["status"] ?? "")
      .split(",")
      .flatMap((one) => receivableStatuses.filter((value) => value === one)),
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
  };
}

const columns: Column<Receivable>[] = [
  {
    id: "date",
    heading: "Data da transação",
    cell: ({ transaction }) => <span className="num">{formatDateTime(transaction.date)}</span>,
    width: 16,
  },
  {
    id: "code",
    heading: "Código de autorização",
    onPhone: "title",
    cell: ({ authorization_code: code }) => <code>{code}</code>,
    width: 17,
  },
  {
    id: "installments",
    heading: "Parcelas",
    cell: ({ transaction: { installment, installments } }) => (
      <span className="num">
        {installment} de {installments}
      </span>
    ),
    width: 11,
  },
  {
    id: "gross",
    heading: "Valor bruto",
    numeric: true,
    cell: ({ gross_amount: amount }) => <MoneyText cents={amount} />,
    width: 13,
  },
  {
    id: "net",
    heading: "Valor líquido",
    numeric: true,
    onPhone: "end",
    cell: ({ net_amount: amount }) => <MoneyText cents={amount} />,
    width: 13,
  },
  {
    id: "received",
    heading: "Data de recebimento",
    cell: ({ receive_date: came, expected_receive_date: expected }) => {
      const day = came ?? expected;
      return <span className="num">{day ? formatDate(day) : "---"}</span>;
    },
    width: 17,
  },
  {
    id: "status",
    heading: "Status",
    cell: ({ status }) => <StatusPill {...looks[status]}>{receivableStatusNames[status]}</StatusPill>,
    width: 13,
  },
];

const noFilters = { busca: null, de: null, ate: null, status: null, pagina: null };

export default function CardReceivablesPage() {
  const session = useSession();
  const [{ busca, de, ate, status, pagina }, change] = usePageSearch(readSearch);
  const filters = { search: busca, from: de, until: ate, statuses: status };
  const list = useQuery(receivableListQuery(filters, pagina - 1));
  const totals = useQuery(receivableTotalsQuery(filters));
  useLastPage(list, pagina, change);
  const usual = daysOfMonth(currentMonth());
  const isFiltered = Boolean(busca || status.length) || de !== usual.initialDate || ate !== usual.endDate;
  return (
    <>
      <PageHeader
        title="Cartão de crédito"
        subtitle={
          list.data ? (
            <span data-dim={list.isPlaceholderData || undefined}>
              {counted(list.data.metadata.pagination.totalItems, "recebível", "recebíveis")}
            </span>
          ) : undefined
        }
        actions={
          may(requestReceivableReport, session) ? <ExportButton report={receivableReport(filters)} /> : null
        }
      />
      {totals.isError && !totals.data ? (
        <FailedNotice title="Os totais não puderam ser lidos" query={totals} />
      ) : (
        <TotalCards
          refetching={totals.isPlaceholderData}
          cards={receivableStatuses.map((name) => ({
            label: receivableStatusNames[name],
            amount: totals.data?.[name].total_amount,
          }))}
        />
      )}
      <FilterBar>
        <SearchField
          label="Código de autorização ou valor"
          value={busca}
          onSearch={(text) => change({ busca: text || null, pagina: null }, { replace: true })}
        />
        <DayRange
          label="Data de recebimento"
          from={de}
          until={ate}
          onChange={({ from, until }) =>
            change({ ...(from && { de: from }), ...(until && { ate: until }), pagina: null })
          }
        />
        <ManyChip
          label="Status"
          allLabel="Todos os status"
          values={status}
          options={statusOptions}
          onChange={(values) => change({ status: values.join(",") || null, pagina: null })}
        />
        {isFiltered ? (
          <Button look="quiet" size="sm" onClick={() => change(noFilters)}>
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      <ListFaces
        query={list}
        loading="Carregando os recebíveis"
        failed="Ocorreu um erro ao buscar os recebíveis"
        emptyFace={({ items }) =>
          items.length > 0 ? null : (
            <NoReceivables
              isFiltered={isFiltered}
              onNext={() => {
                const today = todayIn();
                change({ ...noFilters, de: today, ate: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}` });
              }}
            />
          )
        }
      >
        {({ items, metadata }) => (
          <>
            <DataTable
              caption="Recebíveis de cartão"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              refetching={list.isPlaceholderData}
            />
            <Pagination
              page={pagina - 1}
              onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
              {...metadata.pagination}
            />
          </>
        )}
      </ListFaces>
    </>
  );
}

function NoReceivables({ isFiltered, onNext }: { isFiltered: boolean; onNext: () => void }) {
  return isFiltered ? (
    <EmptyState drawing="search" title="Nenhum recebível foi encontrado na sua busca">
      <p>Confira o que foi digitado ou limpe os filtros para ver os recebíveis deste mês.</p>
    </EmptyState>
  ) : (
    <EmptyState
      drawing="money"
      title="Nenhum recebível neste mês"
      action={<Button onClick={onNext}>Ver os próximos recebíveis</Button>}
    >
      <p>
        Cada parcela de uma venda no cartão aparece aqui, com o dia em que entra no seu saldo: a primeira,
        cerca de 30 dias depois da venda.
      </p>
    </EmptyState>
  );
}
