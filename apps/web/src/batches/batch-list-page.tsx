import { createBatch } from "@malote/contracts/batches";
import { IconFileImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PayRequestBanner } from "../billing/index.ts";
import { useLayerSearch } from "../shell/layer-search.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { buttonClass } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, formatMoney, formatMonth } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { batchListQuery, blankslateQuery, useNewBatch } from "./api.ts";
import { BatchCard } from "./batch-card.tsx";
import styles from "./batch-list-page.module.css";
import { legend, statusLooks } from "./batch-status.ts";
import { NewBatchMenu } from "./new-batch-menu.tsx";
import { batchesSearch, filtersOf, filterWordNames, filterWords } from "./search.ts";

const filterOptions = filterWordNames.map((value) => ({
  value,
  label: statusLooks[filterWords[value]].name,
}));

export default function BatchListPage() {
  const session = useSession();
  const importPath = useNamedPath("ImportPage");
  const search = useListSearch(batchesSearch);
  const { mes, status, busca } = search.values;
  const [{ lote }, changeLayer] = useLayerSearch();
  const list = useQuery(batchListQuery(filtersOf(search.values)));
  const blankslate = useQuery({ ...blankslateQuery, enabled: list.data?.data.length === 0 });
  const { isStarting, startBatch } = useNewBatch(lote, (id) => changeLayer({ lote: id }));

  const { isFiltered } = search;
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
    <ListPage
      search={search}
      query={list}
      loading="Carregando os lotes"
      failed="Não foi possível carregar os lotes"
      header={
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
        </>
      }
      filters={
        <>
          <SearchField
            label="Nome ou valor do lote"
            value={busca}
            onSearch={(text) => search.filter({ busca: text || null }, { replace: true })}
          />
          <MonthPicker value={mes} onChange={(month) => search.filter({ mes: month })} />
          <ChoiceChip
            label="Status"
            allLabel="Todos os status"
            value={status}
            options={filterOptions}
            onChange={(value) => search.filter({ status: value })}
          />
        </>
      }
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
          <EmptyState
            drawing="batches"
            title="Faça seu primeiro lote de pagamentos"
            action={
              <>
                {importLink}
                {newBatch}
              </>
            }
          >
            <p>Reúna os pagamentos do dia em um lote, confira o total e feche tudo de uma vez.</p>
          </EmptyState>
        ) : data.length === 0 ? (
          <NothingFound />
        ) : null
      }
      numbered={({ metadata }) => metadata.pagination}
      foot={(pages) => (
        <div className={styles.foot}>
          <Legend />
          {pages}
        </div>
      )}
    >
      {({ data }) => (
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
      )}
    </ListPage>
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
