import { createValidation, type Validation } from "@malote/contracts/validation";
import { validationStatusNames, validationTypeNames } from "@malote/domain/validation";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, currentMonth, formatDateTime } from "../ui/format.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { validationListQuery } from "./api.ts";
import { statusWordNames, statusWords, typeWordNames, typeWords, validationHistorySearch } from "./search.ts";
import styles from "./validation.module.css";
import { ReceiptButton, ValidationPill, ValidationResult } from "./validation-result.tsx";
import { wayText } from "./validation-texts.ts";

const statusOptions = statusWordNames.map((value) => ({
  value,
  label: validationStatusNames[statusWords[value]],
}));
const typeOptions = typeWordNames.map((value) => ({ value, label: validationTypeNames[typeWords[value]] }));

export default function ValidationHistoryPage() {
  const session = useSession();
  const navigate = useNavigate();
  const search = useListSearch(validationHistorySearch);
  const { busca, status, tipo, mes, validacao } = search.values;
  const { isFiltered, change, filter } = search;
  const filters = {
    search: busca,
    status: status && statusWords[status],
    type: tipo && typeWords[tipo],
    month: mes,
  };
  const list = useQuery(validationListQuery(filters, search.page - 1));

  // VAL-027: analysts cannot open it.
  const newOne = may(createValidation, session) ? (
    <Link to={pathOf("ValidationPage")} className={buttonClass({ look: "primary" })}>
      <IconShieldCheck size={18} aria-hidden />
      Nova validação
    </Link>
  ) : null;
  const goToForm = (refazer?: string) => void navigate({ to: pathOf("ValidationPage"), search: { refazer } });
  return (
    <>
      <ListPage
        search={search}
        query={list}
        loading="Carregando as validações"
        failed="Não foi possível carregar as validações"
        header={
          <PageHeader
            title="Histórico de validações"
            subtitle={
              list.data
                ? counted(list.data.metadata.pagination.totalItems, "validação", "validações")
                : undefined
            }
            actions={newOne}
          />
        }
        filters={
          <>
            <SearchField
              label="Nome, Documento, Chave Pix, etc."
              value={busca}
              onSearch={(text) => filter({ busca: text || null }, { replace: true })}
            />
            <MonthPicker
              value={mes}
              onChange={(month) => filter({ mes: month === currentMonth() ? null : month })}
            />
            <ChoiceChip
              label="Status"
              allLabel="Todos os status"
              value={status}
              options={statusOptions}
              onChange={(value) => filter({ status: value })}
            />
            <ChoiceChip
              label="Tipo"
              allLabel="Todos os tipos"
              value={tipo}
              options={typeOptions}
              onChange={(value) => filter({ tipo: value })}
            />
          </>
        }
        emptyFace={({ metadata }) =>
          metadata.pagination.totalItems > 0 ? null : (
            <EmptyState drawing="search" title="Nenhuma validação foi encontrada" action={newOne}>
              <p>
                {isFiltered
                  ? "Confira a busca e os filtros, ou escolha outro mês."
                  : "As validações feitas neste mês aparecem aqui."}
              </p>
            </EmptyState>
          )
        }
        numbered={({ metadata }) => metadata.pagination}
      >
        {({ data }) => (
          <DataTable
            caption="Histórico de validações"
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
            onRow={({ id }) => change({ validacao: id })}
            refetching={list.isPlaceholderData}
          />
        )}
      </ListPage>
      {validacao ? (
        <FullScreenModal opened onClose={() => change({ validacao: null })} title="Resultado da validação">
          <div className={styles.form} style={{ margin: "0 auto" }}>
            <ValidationResult id={validacao} onNew={() => goToForm()} onAgain={() => goToForm(validacao)} />
          </div>
        </FullScreenModal>
      ) : null}
    </>
  );
}

/** VAL-025: columns of the history. */
const columns: readonly Column<Validation>[] = [
  {
    id: "date",
    heading: "Data",
    width: 1.5,
    onPhone: "title",
    cell: ({ id, created_at }) => (
      <Link
        to="."
        search={(before) => ({ ...before, validacao: id })}
        resetScroll={false}
        className={`num ${styles.open}`}
      >
        {formatDateTime(created_at)}
      </Link>
    ),
  },
  {
    id: "type",
    heading: "Tipo de validação",
    width: 1.6,
    cell: ({ type }) => validationTypeNames[type],
  },
  { id: "name", heading: "Nome", width: 2, cell: ({ data }) => data.name ?? "–" },
  {
    id: "way",
    heading: "Pix ou Agência/Conta",
    width: 2.4,
    cell: (validation) => <span className={`num ${styles.way}`}>{wayText(validation)}</span>,
  },
  {
    id: "status",
    heading: "Status",
    width: 1.2,
    onPhone: "end",
    cell: (validation) => <ValidationPill validation={validation} />,
  },
  {
    id: "receipt",
    heading: "Comprovante",
    width: 1.3,
    cell: (validation) =>
      validation.receipt_url ? <ReceiptButton validation={validation} size="sm" /> : "–",
  },
];
