import type { Payin } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { FailedNotice } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { buttonClass } from "../ui/button.tsx";
import { DayRange } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, formatMoney } from "../ui/format.ts";
import { ManyChip } from "../ui/many-chip.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { TotalCards } from "../ui/total-cards.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { isBeforeVisible, type Place, payinListQuery, payinReport, payinTotalsQuery } from "./api.ts";
import { ExportButton } from "./export-button.tsx";
import { statusOptions, totalNames, typeOptions } from "./payin-looks.ts";
import { PayinsTable } from "./payins-table.tsx";
import { payinsSearch } from "./search.ts";

const PayinDialog = lazyPart(() => import("./payin-dialog.tsx"));
const RefundDialog = lazyPart(() => import("./refund-dialog.tsx"));

/** PAY-006: pauses before a search and a fetch. */
const typingPauseMs = 500;
const refetchPauseMs = 300;

const countedPayins = (count: number) => counted(count, "recebimento", "recebimentos");

export default function PayinsPage() {
  const session = useSession();
  const newLinkPath = useNamedPath("NewPaymentLinkPage");
  const search = useListSearch(payinsSearch);
  const { busca, de, ate, status, metodo, recebimento } = search.values;
  const { isFiltered, page, cursor, change, filter } = search;
  const [refunding, setRefunding] = useState<Payin>();
  const filters = { search: busca, from: de, until: ate, statuses: status, types: metodo };
  const asked = useDebounced({ filters, page, cursor }, refetchPauseMs);
  const place: Place = asked.cursor ? { page_cursor: asked.cursor } : { page: asked.page - 1 };
  const list = useQuery(payinListQuery(asked.filters, place));
  const totals = useQuery(payinTotalsQuery(asked.filters));
  const isSimple = session?.feature_flags.includes("payin-simplified-version") ?? false;

  // PAY-019: the list may be loaded although the figures are not.
  const totalsFailed = totals.isError && !totals.data;
  useEffect(() => {
    if (totalsFailed) toast.bad("Ocorreu um erro ao buscar os totalizadores");
  }, [totalsFailed]);

  const received = totals.data?.received;
  return (
    <>
      <ListPage
        search={search}
        asked={asked}
        query={list}
        loading="Carregando os recebimentos"
        failed="Ocorreu um erro ao buscar os recebimentos"
        header={
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
          </>
        }
        filters={
          <>
            <SearchField
              label="Pagador, documento, link, mensagem, ID ou valor"
              value={busca}
              pauseMs={typingPauseMs}
              onSearch={(text) => filter({ busca: text || null }, { replace: true })}
            />
            <DayRange
              label="Período"
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
            <ManyChip
              label="Método de pagamento"
              allLabel="Todos os métodos"
              values={metodo}
              options={typeOptions}
              onChange={(values) => filter({ metodo: values })}
            />
          </>
        }
        instead={
          isBeforeVisible(filters) ? (
            <EmptyState drawing="search" title="Dados disponíveis a partir de Janeiro de 2024">
              <p>Escolha um período que termine em 1º de janeiro de 2024 ou depois.</p>
            </EmptyState>
          ) : undefined
        }
        emptyFace={({ items }) => (items.length > 0 ? null : <NoPayins isFiltered={isFiltered} />)}
        numbered={({ metadata: { pagination } }) =>
          pagination.next === undefined && pagination.previous === undefined ? pagination : undefined
        }
        // PAY-004: pages by cursor when the answer has cursors.
        cursors={({ items, metadata: { pagination } }) => ({
          next: pagination.next ?? null,
          previous: pagination.previous ?? null,
          rowsCount: items.length,
        })}
      >
        {({ items }) => (
          <PayinsTable
            payins={items}
            refetching={list.isPlaceholderData}
            simple={isSimple}
            onOpen={(id) => change({ recebimento: id })}
            onRefund={setRefunding}
          />
        )}
      </ListPage>
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
