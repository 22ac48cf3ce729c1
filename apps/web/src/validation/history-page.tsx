import { createValidation, type Validation } from "@malote/contracts/validation";
import {
  type ValidationStatus,
  validationStatuses,
  validationStatusNames,
  validationTypeNames,
} from "@malote/domain/validation";
import { type ValidationType, validationTypes } from "@malote/domain/validation-types";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ListFaces } from "../shell/list-faces.tsx";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { useLastPage } from "../shell/use-last-page.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { counted, currentMonth, formatDateTime, isMonth } from "../ui/format.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { MonthPicker } from "../ui/month-picker.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { validationListQuery } from "./api.ts";
import styles from "./validation.module.css";
import { ReceiptButton, ValidationPill, ValidationResult } from "./validation-result.tsx";
import { wayText } from "./validation-texts.ts";

/** Words of the address bar. */
const statusWords: Readonly<Record<string, ValidationStatus>> = {
  validado: "VALID",
  invalido: "INVALID",
  validando: "VALIDATING",
};
const typeWords: Readonly<Record<string, ValidationType>> = {
  basica: "BASIC",
  microdeposito: "MICRO_DEPOSIT",
};
const wordOf = <Value,>(words: Readonly<Record<string, Value>>, value: Value) =>
  Object.keys(words).find((word) => words[word] === value) ?? "";
const known = (words: object, word: string | undefined) => (word && Object.hasOwn(words, word) ? word : null);

const statusOptions = validationStatuses.map((value) => ({
  value: wordOf(statusWords, value),
  label: validationStatusNames[value],
}));
const typeOptions = validationTypes.map((value) => ({
  value: wordOf(typeWords, value),
  label: validationTypeNames[value],
}));

function readSearch(raw: Record<string, string | undefined>) {
  return {
    busca: raw["busca"]?.slice(0, 100) ?? "",
    status: known(statusWords, raw["status"]),
    tipo: known(typeWords, raw["tipo"]),
    mes: isMonth(raw["mes"]) ? raw["mes"] : currentMonth(),
    /** Page number, counted from 1 in the address. */
    pagina: Math.max(1, Math.floor(Number(raw["pagina"]) || 1)),
    /** Validation that is open above the page. */
    validacao: raw["validacao"],
  };
}

export default function ValidationHistoryPage() {
  const session = useSession();
  const navigate = useNavigate();
  const [{ busca, status, tipo, mes, pagina, validacao }, change] = usePageSearch(readSearch);
  const filters = {
    search: busca,
    status: (status && statusWords[status]) || null,
    type: (tipo && typeWords[tipo]) || null,
    month: mes,
  };
  const list = useQuery(validationListQuery(filters, pagina - 1));
  const isFiltered = Boolean(busca || status || tipo || mes !== currentMonth());
  useLastPage(list, pagina, change);

  // VAL-027: analysts cannot open it.
  const newOne = may(createValidation, session) ? (
    <Link to={pathOf("ValidationPage")} className={buttonClass({ look: "primary" })}>
      <IconShieldCheck size={18} aria-hidden />
      Nova validação
    </Link>
  ) : null;
  const goToForm = (search: object) =>
    void navigate({ to: pathOf("ValidationPage"), search: search as never });
  return (
    <>
      <PageHeader
        title="Histórico de validações"
        subtitle={
          list.data ? counted(list.data.metadata.pagination.totalItems, "validação", "validações") : undefined
        }
        actions={newOne}
      />
      <FilterBar>
        <SearchField
          label="Nome, Documento, Chave Pix, etc."
          value={busca}
          onSearch={(text) => change({ busca: text || null, pagina: null }, { replace: true })}
        />
        <MonthPicker
          value={mes}
          onChange={(month) => change({ mes: month === currentMonth() ? null : month, pagina: null })}
        />
        <ChoiceChip
          label="Status"
          allLabel="Todos os status"
          value={status}
          options={statusOptions}
          onChange={(value) => change({ status: value, pagina: null })}
        />
        <ChoiceChip
          label="Tipo"
          allLabel="Todos os tipos"
          value={tipo}
          options={typeOptions}
          onChange={(value) => change({ tipo: value, pagina: null })}
        />
        {isFiltered ? (
          <Button
            look="quiet"
            size="sm"
            onClick={() => change({ busca: null, status: null, tipo: null, mes: null, pagina: null })}
          >
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      <ListFaces
        query={list}
        loading="Carregando as validações"
        failed="Não foi possível carregar as validações"
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
      >
        {({ data, metadata }) => (
          <>
            <DataTable
              caption="Histórico de validações"
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              onRow={({ id }) => change({ validacao: id })}
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
      {validacao ? (
        <FullScreenModal opened onClose={() => change({ validacao: null })} title="Resultado da validação">
          <div className={styles.form} style={{ margin: "0 auto" }}>
            <ValidationResult
              id={validacao}
              onNew={() => goToForm({})}
              onAgain={() => goToForm({ refazer: validacao })}
            />
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
        search={((before: object) => ({ ...before, validacao: id })) as never}
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
