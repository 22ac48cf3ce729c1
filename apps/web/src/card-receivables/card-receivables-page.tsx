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
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { DayRange } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, formatDate, formatDateTime, todayIn } from "../ui/format.ts";
import { ManyChip } from "../ui/many-chip.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { type PillLook, StatusPill } from "../ui/status-pill.tsx";
import { TotalCards } from "../ui/total-cards.tsx";
import { receivableListQuery, receivableReport, receivableTotalsQuery } from "./api.ts";
import { receivablesSearch } from "./search.ts";

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

export default function CardReceivablesPage() {
  const session = useSession();
  const search = useListSearch(receivablesSearch);
  const { busca, de, ate, status } = search.values;
  const { isFiltered, filter } = search;
  const filters = { search: busca, from: de, until: ate, statuses: status };
  const list = useQuery(receivableListQuery(filters, search.page - 1));
  const totals = useQuery(receivableTotalsQuery(filters));
  return (
    <ListPage
      search={search}
      query={list}
      loading="Carregando os recebíveis"
      failed="Ocorreu um erro ao buscar os recebíveis"
      header={
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
              may(requestReceivableReport, session) ? (
                <ExportButton report={receivableReport(filters)} />
              ) : null
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
        </>
      }
      filters={
        <>
          <SearchField
            label="Código de autorização ou valor"
            value={busca}
            onSearch={(text) => filter({ busca: text || null }, { replace: true })}
          />
          <DayRange
            label="Data de recebimento"
            from={de}
            until={ate}
            onChange={({ from, until }) =>
              filter({ ...(from && { de: from }), ...(until && { ate: until }) })
            }
          />
          <ManyChip
            label="Status"
            allLabel="Todos os status"
            values={status}
            options={statusOptions}
            onChange={(values) => filter({ status: values })}
          />
        </>
      }
      emptyFace={({ items }) =>
        items.length > 0 ? null : (
          <NoReceivables
            isFiltered={isFiltered}
            onNext={() => {
              const today = todayIn();
              search.filterOnly({ de: today, ate: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}` });
            }}
          />
        )
      }
      numbered={({ metadata }) => metadata.pagination}
    >
      {({ items }) => (
        <DataTable
          caption="Recebíveis de cartão"
          columns={columns}
          rows={items}
          keyOf={({ id }) => id}
          refetching={list.isPlaceholderData}
        />
      )}
    </ListPage>
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
