import { createReceiver } from "@malote/contracts/receivers";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { BankSelect } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { counted } from "../ui/format.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { noFilters, receiverListQuery } from "./api.ts";
import { filterWords, statusLooks } from "./receiver-status.ts";
import styles from "./receivers-page.module.css";
import { ReceiversTable } from "./receivers-table.tsx";

const ReceiverModal = lazyPart(() => import("./receiver-modal.tsx"));

const filterOptions = Object.entries(filterWords).map(([value, status]) => ({
  value,
  label: statusLooks[status].name,
}));

function readSearch(raw: Record<string, string | undefined>) {
  return {
    busca: raw["busca"]?.slice(0, 100) ?? "",
    /** ISPB. */
    banco: /^\d{8}$/.test(raw["banco"] ?? "") ? (raw["banco"] ?? null) : null,
    status: raw["status"] && Object.hasOwn(filterWords, raw["status"]) ? raw["status"] : null,
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    /** Receiver that is open above the page, or `novo`. */
    recebedor: raw["recebedor"],
  };
}

export default function ReceiversPage() {
  const session = useSession();
  const [{ busca, banco, status, pagina, recebedor }, change] = usePageSearch(readSearch);
  const filters = { search: busca, bankId: banco, status: status ? (filterWords[status] ?? null) : null };
  const isFiltered = Boolean(busca || banco || status);
  const list = useQuery(receiverListQuery(filters, pagina - 1));
  const nothingFound = list.data?.metadata.pagination.totalItems === 0;
  // RCV-003: with a filter, an empty answer does not show whether any receiver is saved at all.
  const everybody = useQuery({ ...receiverListQuery(noFilters, 0), enabled: nothingFound && isFiltered });
  const saved = isFiltered ? everybody.data : list.data;
  const isFirstUse = nothingFound && saved?.metadata.pagination.totalItems === 0;

  // RCV-006: recorded only when the page really opens.
  useEffect(() => void checkpoints.create("HAS_OPENED_RECEIVER_MANAGEMENT"), []);

  useLastPage(list, pagina, change);

  const newReceiver = may(createReceiver, session) ? (
    <Button look="primary" icon={<IconPlus aria-hidden />} onClick={() => change({ recebedor: "novo" })}>
      Novo recebedor
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title="Seus recebedores"
        subtitle={
          list.data && !isFirstUse
            ? counted(list.data.metadata.pagination.totalItems, "recebedor", "recebedores")
            : undefined
        }
        actions={isFirstUse ? null : newReceiver}
      />
      {isFirstUse ? null : (
        <FilterBar>
          <SearchField
            label="Nome, CPF, agência ou conta"
            value={busca}
            onSearch={(text) => change({ busca: text || null, pagina: null }, { replace: true })}
          />
          <BankSelect
            aria-label="Banco"
            placeholder="Todos os bancos"
            allLabel="Todos os bancos"
            className={styles.bank ?? ""}
            value={banco ?? ""}
            onChange={(ispb) => change({ banco: ispb || null, pagina: null })}
          />
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
              onClick={() => change({ busca: null, banco: null, status: null, pagina: null })}
            >
              Limpar filtros
            </Button>
          ) : null}
        </FilterBar>
      )}
      <ListFaces
        query={list}
        loading="Carregando os recebedores"
        failed="Não foi possível carregar os recebedores"
        emptyFace={({ metadata }) =>
          isFirstUse ? (
            <EmptyState drawing="people" title="Você ainda não tem recebedores" action={newReceiver}>
              <p>
                Quem você paga em um lote é salvo aqui por si só, e preenche o próximo pagamento. Você também
                pode cadastrar alguém antes de pagar.
              </p>
            </EmptyState>
          ) : metadata.pagination.totalItems === 0 ? (
            <EmptyState drawing="search" title="Nenhum recebedor foi encontrado na sua busca">
              <p>Confira o que foi digitado ou limpe os filtros para ver todos os recebedores.</p>
            </EmptyState>
          ) : null
        }
      >
        {({ data, metadata }) => (
          <>
            <ReceiversTable
              // RCV-018: the selection belongs to its page.
              key={JSON.stringify([filters, pagina])}
              receivers={data}
              refetching={list.isPlaceholderData}
              onOpen={(id) => change({ recebedor: id })}
            />
            <Pagination
              page={pagina - 1}
              onPage={(page) => change({ pagina: page === 0 ? null : page + 1 })}
              {...metadata.pagination}
            />
          </>
        )}
      </ListFaces>
      {recebedor ? (
        <Suspense>
          <ReceiverModal
            key={recebedor}
            receiverId={recebedor === "novo" ? undefined : recebedor}
            onClose={() => change({ recebedor: null })}
          />
        </Suspense>
      ) : null}
    </>
  );
}
