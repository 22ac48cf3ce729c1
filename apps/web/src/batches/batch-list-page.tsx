import { createBatch, type listBatches } from "@malote/contracts/batches";
import type { ResponseOf } from "@malote/contracts/contract";
import { IconFileImport } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PayRequestBanner } from "../billing/index.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { counted, currentMonth, formatMoney, formatMonth, isMonth } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { type BatchFilter, batchListQuery, blankslateQuery, useNewBatch } from "./api.ts";
import { BatchCard } from "./batch-card.tsx";
import styles from "./batch-list-page.module.css";
import { legend, statusLooks } from "./batch-status.ts";
import { NewBatchMenu } from "./new-batch-menu.tsx";

/** Value in the address bar for each status of the filter (BAT-011). */
const filterWords: Readonly<Record<string, BatchFilter>> = {
  rascunho: "DRAFT",
  aguardando: "WAITING",
  aprovacao: "WAITING_APPROVAL",
  recebido: "RECEIVED",
  finalizado: "FINISHED",
};
const filterOptions = Object.entries(filterWords).map(([value, status]) => ({
  value,
  label: statusLooks[status].name,
}));

function readSearch(raw: Record<string, string | undefined>) {
  return {
    mes: isMonth(raw["mes"]) ? raw["mes"] : currentMonth(),
    status: raw["status"] && Object.hasOwn(filterWords, raw["status"]) ? raw["status"] : null,
    busca: raw["busca"]?.slice(0, 100) ?? "",
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    lote: raw["lote"],
  };
}

export default function BatchListPage() {
  const session = useSession();
  const importPath = useNamedPath("ImportPage");
  const [search, change] = usePageSearch(readSearch);
  const { mes, status, busca, pagina, lote } = search;
  const filters = {
    month: mes,
    status: status ? (filterWords[status] ?? null) : null,
    search: busca,
    page: pagina - 1,
  };
  const list = useQuery(batchListQuery(filters));
  useLastPage(list, pagina, change);
  const blankslate = useQuery({ ...blankslateQuery, enabled: list.data?.data.length === 0 });
  const { isStarting, startBatch } = useNewBatch(lote, (id) => change({ lote: id }));

  const isFiltered = Boolean(busca || status || mes !== currentMonth());
  const mayStart = may(createBatch, session);

  const newBatch = mayStart ? <NewBatchMenu busy={isStarting} onChoose={startBatch} /> : null;
  const importLink =
    importPath && mayStart ? (
      <Link to={importPath} className={buttonClass()}>
        <IconFileImport aria-hidden />
        Importar planilha
      </Link>
    ) : null;
  const isFirstUse = blankslate.data?.data === true && !isFiltered;
  // A button that moves while its menu is open would close the menu, so it waits until its place is fixed.
  const isPlaced = !list.isPending && (isFiltered || list.data?.data.length !== 0 || !blankslate.isPending);

  return (
    <>
      <PageHeader
        title="Seus lotes"
        subtitle={
          list.data
            ? `${sentence(formatMonth(mes))} · ${counted(list.data.summary.count, "lote", "lotes")} · ${formatMoney(list.data.summary.value)}`
            : sentence(formatMonth(mes))
        }
        actions={
          isFirstUse || !isPlaced ? null : (
            <>
              {importLink}
              {newBatch}
            </>
          )
        }
      />
      <PayRequestBanner />
      <FilterBar>
        <SearchField
          label="Nome ou valor do lote"
          value={busca}
          onSearch={(text) => change({ busca: text || null, pagina: null }, { replace: true })}
        />
        <MonthPicker value={mes} onChange={(month) => change({ mes: month, pagina: null })} />
        <ChoiceChip
          label="Status"
          allLabel="Todos os status"
          value={status}
          options={filterOptions}
          onChange={(value) => change({ status: value, pagina: null })}
        />
        {isFiltered ? (
          <Button
            look="quiet"
            size="sm"
            onClick={() => change({ busca: null, status: null, mes: null, pagina: null })}
          >
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      <BatchCards
        list={list}
        isFirstUse={isFirstUse}
        emptyAction={
          <>
            {importLink}
            {newBatch}
          </>
        }
        onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
        page={pagina - 1}
      />
    </>
  );
}

interface BatchCardsProps {
  list: UseQueryResult<ResponseOf<typeof listBatches>>;
  isFirstUse: boolean;
  emptyAction: ReactNode;
  page: number;
  onPage: (page: number) => void;
}

/** Shows first use, nothing found or cards, besides the states that every list has. */
function BatchCards({ list, isFirstUse, emptyAction, page, onPage }: BatchCardsProps) {
  return (
    <ListFaces
      query={list}
      loading="Carregando os lotes"
      failed="Não foi possível carregar os lotes"
      bones={
        <div className={styles.cards}>
          {boneKeys.map((key) => (
            <div key={key} className={styles.bone}>
              <Bone width="60%" height={20} />
              <Bone width="45%" height={28} />
              <Bone height={16} />
            </div>
          ))}
        </div>
      }
      emptyFace={({ data }) =>
        isFirstUse ? (
          <EmptyState drawing="batches" title="Faça seu primeiro lote de pagamentos" action={emptyAction}>
            <p>Reúna os pagamentos do dia em um lote, confira o total e feche tudo de uma vez.</p>
          </EmptyState>
        ) : data.length === 0 ? (
          <NothingFound />
        ) : null
      }
    >
      {({ data, metadata }) => (
        <>
          <ul
            className={styles.cards}
            data-dim={list.isPlaceholderData || undefined}
            aria-busy={list.isPlaceholderData}
          >
            {data.map((batch) => (
              <li key={batch.id}>
                <BatchCard batch={batch} />
              </li>
            ))}
          </ul>
          <div className={styles.foot}>
            <Legend />
            <Pagination page={page} onPage={onPage} {...metadata.pagination} />
          </div>
        </>
      )}
    </ListFaces>
  );
}

function NothingFound() {
  return (
    <>
      <EmptyState drawing="search" title="Nenhum lote foi encontrado na sua busca">
        <p>Confira o mês escolhido ou limpe os filtros para ver outros lotes.</p>
      </EmptyState>
      <div className={styles.foot}>
        <Legend />
      </div>
    </>
  );
}

/** BAT-016: shown whatever the list contains. */
function Legend() {
  return (
    <ul className={styles.legend} aria-label="Legenda dos status">
      {legend.map((status) => (
        <li key={status}>
          <StatusPill {...statusLooks[status]}>{statusLooks[status].name}</StatusPill>
        </li>
      ))}
    </ul>
  );
}

const boneKeys = ["a", "b", "c", "d", "e", "f"];

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
