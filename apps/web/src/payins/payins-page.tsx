import type { Payin } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import { type PayinStatus, type PayinType, payinStatuses, payinTypes } from "@malote/domain/payin";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { FailedNotice } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CursorPager } from "../ui/cursor-pager.tsx";
import { DayRange, readDays } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { counted, currentMonth, daysOfMonth, formatMoney } from "../ui/format.ts";
import { ManyChip } from "../ui/many-chip.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { TotalCards } from "../ui/total-cards.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { isBeforeVisible, type Place, payinListQuery, payinReport, payinTotalsQuery } from "./api.ts";
import { ExportButton } from "./export-button.tsx";
import { statusOptions, totalNames, typeOptions } from "./payin-looks.ts";
import { PayinsTable } from "./payins-table.tsx";

const PayinDialog = lazyPart(() => import("./payin-dialog.tsx"));
const RefundDialog = lazyPart(() => import("./refund-dialog.tsx"));

/** PAY-006: pauses before a search and a fetch. */
const typingPauseMs = 500;
const refetchPauseMs = 300;

const chosenOf = <Value extends string>(text: string | undefined, known: readonly Value[]): Value[] =>
  (text ?? "").split(",").flatMap((one) => known.filter((value) => value === one));

function readSearch(raw: Record<string, string | undefined>) {
  const { from, until } = readDays(raw, daysOfMonth(currentMonth()));
  return {
    busca: raw["busca"]?.slice(0, 100) ?? "",
    de: from,
    ate: until,
    status: chosenOf<PayinStatus>(raw["status"], payinStatuses),
    metodo: chosenOf<PayinType>(raw["metodo"], payinTypes),
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    /** Cursor in a list that is too long for page numbers. */
    cursor: raw["cursor"],
    /** Id of the payin that is open above the page. */
    recebimento: raw["recebimento"],
  };
}

const countedPayins = (count: number) => counted(count, "recebimento", "recebimentos");

const noFilters = {
  busca: null,
  de: null,
  ate: null,
  status: null,
  metodo: null,
  pagina: null,
  cursor: null,
};

export default function PayinsPage() {
  const session = useSession();
  const newLinkPath = useNamedPath("NewPaymentLinkPage");
  const [{ busca, de, ate, status, metodo, pagina, cursor, recebimento }, change] = usePageSearch(readSearch);
  const [refunding, setRefunding] = useState<Payin>();
  const filters = { search: busca, from: de, until: ate, statuses: status, types: metodo };
  const place: Place = cursor ? { page_cursor: cursor } : { page: pagina - 1 };
  const asked = useDebounced({ filters, place }, refetchPauseMs);
  const list = useQuery(payinListQuery(asked.filters, asked.place));
  const totals = useQuery(payinTotalsQuery(asked.filters));
  const isSimple = session?.feature_flags.includes("payin-simplified-version") ?? false;
  const usual = daysOfMonth(currentMonth());
  const isFiltered =
    Boolean(busca || status.length || metodo.length) || de !== usual.initialDate || ate !== usual.endDate;
  const restart = { pagina: null, cursor: null };

  // PAY-019: the list may be loaded although the figures are not.
  const totalsFailed = totals.isError && !totals.data;
  useEffect(() => {
    if (totalsFailed) toast.bad("Ocorreu um erro ao buscar os totalizadores");
  }, [totalsFailed]);

  // An old link may name a page that is gone: go to the last page, or with a cursor to the first.
  useLastPage(list, "page" in asked.place ? asked.place.page + 1 : 1, change);
  const isLost = "page_cursor" in asked.place && !list.isPlaceholderData && list.data?.items.length === 0;
  useEffect(() => {
    if (isLost) change({ cursor: null }, { replace: true });
  }, [isLost, change]);

  const received = totals.data?.received;
  return (
    <>
      <PageHeader
        title="Seus recebimentos"
        subtitle={
          received && !isBeforeVisible(filters) ? (
            <span data-dim={totals.isPlaceholderData || undefined}>
              {formatMoney(received.total_amount)} recebidos em {countedPayins(received.count)}
            </span>
          ) : undefined
        }
        actions={
          <>
            <ExportButton report={payinReport(filters)} disabled={isBeforeVisible(filters)} />
            {newLinkPath && may(createPaymentLink, session) ? (
              <Link to={newLinkPath} className={buttonClass({ look: "primary" })}>
                <IconPlus aria-hidden />
                Criar link de pagamento
              </Link>
            ) : null}
          </>
        }
      />
      {isBeforeVisible(filters) ? null : totalsFailed ? (
        <FailedNotice title="Os totais não puderam ser lidos" query={totals} />
      ) : (
        <TotalCards
          refetching={totals.isPlaceholderData}
          cards={totalNames.map(([name, label]) => ({
            label,
            amount: totals.data?.[name].total_amount,
            note: totals.data ? countedPayins(totals.data[name].count) : "\u00a0",
          }))}
        />
      )}
      <FilterBar>
        <SearchField
          label="Pagador, documento, link, mensagem, ID ou valor"
          value={busca}
          pauseMs={typingPauseMs}
          onSearch={(text) => change({ busca: text || null, ...restart }, { replace: true })}
        />
        <DayRange
          label="Período"
          from={de}
          until={ate}
          onChange={({ from, until }) =>
            change({ ...(from && { de: from }), ...(until && { ate: until }), ...restart })
          }
        />
        <ManyChip
          label="Status"
          allLabel="Todos os status"
          values={status}
          options={statusOptions}
          onChange={(values) => change({ status: values.join(",") || null, ...restart })}
        />
        <ManyChip
          label="Método de pagamento"
          allLabel="Todos os métodos"
          values={metodo}
          options={typeOptions}
          onChange={(values) => change({ metodo: values.join(",") || null, ...restart })}
        />
        {isFiltered ? (
          <Button look="quiet" size="sm" onClick={() => change(noFilters)}>
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      {isBeforeVisible(filters) ? (
        <EmptyState drawing="search" title="Dados disponíveis a partir de Janeiro de 2024">
          <p>Escolha um período que termine em 1º de janeiro de 2024 ou depois.</p>
        </EmptyState>
      ) : (
        <ListFaces
          query={list}
          loading="Carregando os recebimentos"
          failed="Ocorreu um erro ao buscar os recebimentos"
          emptyFace={({ items }) => (items.length > 0 ? null : <NoPayins isFiltered={isFiltered} />)}
        >
          {({ items, metadata: { pagination } }) => (
            <>
              <PayinsTable
                payins={items}
                refetching={list.isPlaceholderData}
                simple={isSimple}
                onOpen={(id) => change({ recebimento: id })}
                onRefund={setRefunding}
              />
              {pagination.next === undefined && pagination.previous === undefined ? (
                <Pagination
                  page={pagina - 1}
                  onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
                  {...pagination}
                />
              ) : (
                // PAY-004: pages by cursor when the answer has cursors.
                <CursorPager
                  next={pagination.next ?? null}
                  previous={pagination.previous ?? null}
                  onCursor={(to) => change({ cursor: to, pagina: null })}
                />
              )}
            </>
          )}
        </ListFaces>
      )}
      <Suspense>
        {recebimento && !isSimple ? (
          <PayinDialog
            id={recebimento}
            onRefund={setRefunding}
            onClose={() => change({ recebimento: null })}
          />
        ) : null}
        {refunding && !isSimple ? (
          <RefundDialog payin={refunding} onClose={() => setRefunding(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

function NoPayins({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="search" title="Nenhum recebimento foi encontrado na sua busca">
      <p>Confira o que foi digitado ou limpe os filtros para ver os recebimentos deste mês.</p>
    </EmptyState>
  ) : (
    <EmptyState drawing="money" title="Nenhum recebimento neste mês">
      <p>O que sua empresa receber por Pix, TED, boleto ou cartão aparece aqui na mesma hora.</p>
    </EmptyState>
  );
}
