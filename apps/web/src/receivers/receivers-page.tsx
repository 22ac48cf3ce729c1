import { createReceiver } from "@malote/contracts/receivers";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { checkpoints } from "../shell/checkpoints.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { BankSelect } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted } from "../ui/format.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { noFilters, receiverListQuery } from "./api.ts";
import { filterWordNames, filterWords, statusLooks } from "./receiver-status.ts";
import styles from "./receivers-page.module.css";
import { ReceiversTable } from "./receivers-table.tsx";
import { receiversSearch } from "./search.ts";

const ReceiverModal = lazyPart(() => import("./receiver-modal.tsx"));

const filterOptions = filterWordNames.map((value) => ({
  value,
  label: statusLooks[filterWords[value]].name,
}));

export default function ReceiversPage() {
  const session = useSession();
  const search = useListSearch(receiversSearch);
  const { busca, banco, status, recebedor } = search.values;
  const { isFiltered, change, filter } = search;
  const filters = { search: busca, bankId: banco, status: status && filterWords[status] };
  const list = useQuery(receiverListQuery(filters, search.page - 1));
  const nothingFound = list.data?.metadata.pagination.totalItems === 0;
  // RCV-003: with a filter, an empty answer does not show whether any receiver is saved at all.
  const everybody = useQuery({ ...receiverListQuery(noFilters, 0), enabled: nothingFound && isFiltered });
  const saved = isFiltered ? everybody.data : list.data;
  const isFirstUse = nothingFound && saved?.metadata.pagination.totalItems === 0;

  // RCV-006: recorded only when the page really opens.
  useEffect(() => void checkpoints.create("HAS_OPENED_RECEIVER_MANAGEMENT"), []);

  const newReceiver = may(createReceiver, session) ? (
    <Button look="primary" icon={<IconPlus aria-hidden />} onClick={() => change({ recebedor: "novo" })}>
      Novo recebedor
    </Button>
  ) : null;
  return (
    <>
      <ListPage
        search={search}
        query={list}
        loading="Carregando os recebedores"
        failed="Não foi possível carregar os recebedores"
        header={
          <PageHeader
            title="Seus recebedores"
            subtitle={
              list.data && !isFirstUse
                ? counted(list.data.metadata.pagination.totalItems, "recebedor", "recebedores")
                : undefined
            }
            actions={isFirstUse ? null : newReceiver}
          />
        }
        filters={
          isFirstUse ? null : (
            <>
              <SearchField
                label="Nome, CPF, agência ou conta"
                value={busca}
                onSearch={(text) => filter({ busca: text || null }, { replace: true })}
              />
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
                options={filterOptions}
                onChange={(value) => filter({ status: value })}
              />
            </>
          )
        }
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
        numbered={({ metadata }) => metadata.pagination}
      >
        {({ data }, key) => (
          <ReceiversTable
            // RCV-018: the selection belongs to its page.
            key={key}
            receivers={data}
            refetching={list.isPlaceholderData}
            onOpen={(id) => change({ recebedor: id })}
          />
        )}
      </ListPage>
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
