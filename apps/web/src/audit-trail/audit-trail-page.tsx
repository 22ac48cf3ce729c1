import type { AuditTrailFilters } from "@malote/contracts/audit-trail";
import {
  type AuditAction,
  type AuditObject,
  auditActionNames,
  auditActions,
  auditObjectNames,
  auditObjects,
} from "@malote/domain/audit-trail";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { CompanyFrame } from "../company/index.ts";
import { ExportButton } from "../payins/index.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { CursorPager } from "../ui/cursor-pager.tsx";
import { DayRange, readDays } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FilterBar } from "../ui/filter-bar.tsx";
import { currentMonth, daysOfMonth } from "../ui/format.ts";
import { SearchField } from "../ui/search-field.tsx";
import { auditActorsQuery, auditTrailQuery, auditTrailReport } from "./api.ts";
import { EntriesTable, isWholeId } from "./entries-table.tsx";

const nobodies = ["system", "operator"];
const objectOptions = auditObjectNames.map((value) => ({ value, label: auditObjects[value] }));
const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label, "pt-BR");

function readSearch(raw: Record<string, string | undefined>) {
  const { from, until } = readDays(raw, daysOfMonth(currentMonth()));
  return {
    de: from,
    ate: until,
    quem: isWholeId(raw["quem"] ?? "") || nobodies.includes(raw["quem"] ?? "") ? (raw["quem"] ?? null) : null,
    objeto: auditObjectNames.find((known) => known === raw["objeto"]) ?? null,
    acao: auditActionNames.find((known) => known === raw["acao"]) ?? null,
    id: raw["id"]?.slice(0, 100) ?? "",
    cursor: raw["cursor"]?.slice(0, 200) ?? null,
  };
}
const noFilters = { de: null, ate: null, quem: null, objeto: null, acao: null, id: null, cursor: null };

/** The company's chain of audit entries, for its admins (decision 0041). */
export default function AuditTrailPage() {
  const [{ cursor, ...asked }, change] = usePageSearch(readSearch);
  const { de, ate, quem, objeto, acao, id } = asked;
  const actors = useQuery(auditActorsQuery);
  const filters: AuditTrailFilters = {
    from: de,
    until: ate,
    ...(quem && { actor_id: quem }),
    ...(objeto && { object: objeto }),
    ...(acao && { action: acao }),
    ...(isWholeId(id) && { subject_id: id }),
  };
  // Text that is not a complete id matches no entry.
  const isHalfId = id !== "" && !isWholeId(id);
  const list = useQuery({ ...auditTrailQuery(filters, cursor), enabled: !isHalfId });
  const usual = daysOfMonth(currentMonth());
  const isFiltered =
    Boolean(quem || objeto || acao || id) || de !== usual.initialDate || ate !== usual.endDate;
  // An old address may name a page that no longer exists.
  const isLost = cursor !== null && !list.isPlaceholderData && list.data?.items.length === 0;
  useEffect(() => {
    if (isLost) change({ cursor: null }, { replace: true });
  }, [isLost, change]);

  const people = [
    ...(actors.data?.data ?? []).map(({ id: value, kind, name }) => ({
      value,
      label: kind === "machine" ? `${name} (credencial)` : name,
    })),
    { value: "system", label: "Sistema" },
    { value: "operator", label: "Operador da instalação" },
  ];
  const actions = auditActionNames
    .filter((name) => !objeto || auditActions[name].object === objeto)
    .map((value) => ({ value, label: auditActions[value].label }))
    .sort(byLabel);
  return (
    <CompanyFrame
      subtitle="Quem fez o quê na sua empresa. Nenhuma entrada pode ser alterada ou apagada."
      actions={<ExportButton report={auditTrailReport(filters)} disabled={isHalfId} />}
    >
      <FilterBar>
        <SearchField
          label="ID do lote, pagamento ou usuário"
          value={id}
          onSearch={(text) =>
            change({ id: text.trim().toLowerCase() || null, cursor: null }, { replace: true })
          }
        />
        <DayRange
          label="Período"
          from={de}
          until={ate}
          onChange={({ from, until }) =>
            change({ ...(from && { de: from }), ...(until && { ate: until }), cursor: null })
          }
        />
        <ChoiceChip
          label="Quem"
          allLabel="Todas as pessoas"
          value={quem}
          options={people}
          onChange={(value) => change({ quem: value, cursor: null })}
        />
        <ChoiceChip<AuditObject>
          label="Objeto"
          allLabel="Todos os objetos"
          value={objeto}
          options={objectOptions}
          onChange={(value) => change({ objeto: value, acao: null, cursor: null })}
        />
        <ChoiceChip<AuditAction>
          label="Ação"
          allLabel="Todas as ações"
          value={acao}
          options={actions}
          onChange={(value) => change({ acao: value, cursor: null })}
        />
        {isFiltered ? (
          <Button look="quiet" size="sm" onClick={() => change(noFilters)}>
            Limpar filtros
          </Button>
        ) : null}
      </FilterBar>
      {isHalfId ? (
        <EmptyState drawing="search" title="Cole o ID inteiro">
          <p>Um ID tem 36 letras e números, como aparece na exportação e na resposta da API.</p>
        </EmptyState>
      ) : (
        <ListFaces
          query={list}
          loading="Carregando a trilha de auditoria"
          failed="Não foi possível carregar a trilha de auditoria"
          emptyFace={({ items }) => (items.length > 0 ? null : <NoEntries isFiltered={isFiltered} />)}
        >
          {({ items, meta }) => (
            <>
              <EntriesTable
                entries={items}
                refetching={list.isPlaceholderData}
                onSubject={(subject) => change({ ...noFilters, de, ate, id: subject })}
              />
              <CursorPager
                previous={meta.previous}
                next={meta.next}
                onCursor={(to) => change({ cursor: to })}
              />
            </>
          )}
        </ListFaces>
      )}
    </CompanyFrame>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="search" title="Nenhuma entrada encontrada">
      <p>Mude o período ou limpe os filtros para ver as entradas deste mês.</p>
    </EmptyState>
  ) : (
    <EmptyState drawing="lock" title="Nenhuma entrada neste mês">
      <p>
        O que alguém fizer na sua empresa aparece aqui na mesma hora. Escolha outro período para ver o que já
        houve.
      </p>
    </EmptyState>
  );
}
