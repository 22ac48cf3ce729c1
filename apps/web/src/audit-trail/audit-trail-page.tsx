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
import { CompanyFrame } from "../company/index.ts";
import { ExportButton } from "../payins/index.ts";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { DayRange } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { auditActorsQuery, auditTrailQuery, auditTrailReport } from "./api.ts";
import { EntriesTable } from "./entries-table.tsx";
import { auditTrailSearch, isWholeId } from "./search.ts";

const objectOptions = auditObjectNames.map((value) => ({ value, label: auditObjects[value] }));
const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label, "pt-BR");

/** The company's chain of audit entries, for its admins (decision 0041). */
export default function AuditTrailPage() {
  const search = useListSearch(auditTrailSearch);
  const { de, ate, quem, id, cursor = null } = search.values;
  const objeto = auditObjectNames.find((known) => known === search.values.objeto) ?? null;
  const acao = auditActionNames.find((known) => known === search.values.acao) ?? null;
  const { isFiltered, filter } = search;
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
      <ListPage
        search={search}
        query={list}
        loading="Carregando a trilha de auditoria"
        failed="Não foi possível carregar a trilha de auditoria"
        filters={
          <>
            <SearchField
              label="ID do lote, pagamento ou usuário"
              value={id}
              onSearch={(text) => filter({ id: text.trim().toLowerCase() || null }, { replace: true })}
            />
            <DayRange
              label="Período"
              from={de}
              until={ate}
              onChange={({ from, until }) =>
                filter({ ...(from && { de: from }), ...(until && { ate: until }) })
              }
            />
            <ChoiceChip
              label="Quem"
              allLabel="Todas as pessoas"
              value={quem}
              options={people}
              onChange={(value) => filter({ quem: value })}
            />
            <ChoiceChip<AuditObject>
              label="Objeto"
              allLabel="Todos os objetos"
              value={objeto}
              options={objectOptions}
              onChange={(value) => filter({ objeto: value, acao: null })}
            />
            <ChoiceChip<AuditAction>
              label="Ação"
              allLabel="Todas as ações"
              value={acao}
              options={actions}
              onChange={(value) => filter({ acao: value })}
            />
          </>
        }
        instead={
          isHalfId ? (
            <EmptyState drawing="search" title="Cole o ID inteiro">
              <p>Um ID tem 36 letras e números, como aparece na exportação e na resposta da API.</p>
            </EmptyState>
          ) : undefined
        }
        emptyFace={({ items }) => (items.length > 0 ? null : <NoEntries isFiltered={isFiltered} />)}
        cursors={({ items, meta }) => ({ ...meta, rowsCount: items.length })}
      >
        {({ items }) => (
          <EntriesTable
            entries={items}
            refetching={list.isPlaceholderData}
            onSubject={(subject) => search.filterOnly({ de, ate, id: subject })}
          />
        )}
      </ListPage>
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
