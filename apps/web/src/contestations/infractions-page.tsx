import { exportInfractions } from "@malote/contracts/contestations";
import { type AnalysisStatus, analysisNames, analysisStatuses } from "@malote/domain/infraction";
import { contestationPageSizes } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { CursorPager } from "../ui/cursor-pager.tsx";
import { DayField } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { readDate } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { AnswerNotice } from "./answer-notice.tsx";
import { filtersOf, type InfractionListParams, infractionListQuery } from "./api.ts";
import styles from "./contestations.module.css";
import { ExportButton, RequestedExport } from "./export-button.tsx";
import { InfractionsTable } from "./infractions-table.tsx";

const statusOptions = analysisStatuses.map((value) => ({ value, label: analysisNames[value] }));

/** MED-015; without dates at the start (MED-013). `exportacao` is the target of the e-mail's link. */
function readSearch(
  raw: Record<string, string | undefined>,
): InfractionListParams & { exportacao: string | null } {
  const size = Number(raw["pageSize"]);
  return {
    pageCursor: raw["pageCursor"]?.slice(0, 200) || null,
    pageSize: contestationPageSizes.find((known) => known === size) ?? contestationPageSizes[0],
    infractionStartDate: readDate(raw["infractionStartDate"] ?? ""),
    infractionEndDate: readDate(raw["infractionEndDate"] ?? ""),
    searchTerm: raw["searchTerm"]?.slice(0, 100) ?? "",
    infractionAnalysisStatus:
      analysisStatuses.find((known) => known === raw["infractionAnalysisStatus"]) ?? null,
    exportacao: raw["exportacao"] ?? null,
  };
}

const noFilters = {
  searchTerm: null,
  infractionAnalysisStatus: null,
  infractionStartDate: null,
  infractionEndDate: null,
  pageCursor: null,
} as const;

export default function InfractionsPage() {
  const session = useSession();
  const [{ exportacao, ...params }, change] = usePageSearch(readSearch);
  const { searchTerm, infractionAnalysisStatus, infractionStartDate, infractionEndDate } = params;
  const isFiltered = Boolean(
    searchTerm || infractionAnalysisStatus || infractionStartDate || infractionEndDate,
  );
  const list = useQuery(infractionListQuery(params));
  // The row of the cursor is gone, or an old address still has it: the link opens the first page.
  const isLost = params.pageCursor !== null && !list.isPlaceholderData && list.data?.items.length === 0;
  useEffect(() => {
    if (isLost) change({ pageCursor: null }, { replace: true });
  }, [isLost, change]);
  return (
    <>
      <PageHeader
        title="Contestações"
        subtitle="Infrações abertas contra Pix que sua empresa recebeu (MED)."
        actions={may(exportInfractions, session) ? <ExportButton filters={filtersOf(params)} /> : null}
      />
      {exportacao ? (
        <RequestedExport exportId={exportacao} onClose={() => change({ exportacao: null })} />
      ) : null}
      <AnswerNotice />
      {/* biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we serve */}
      <div role="search" className={styles.filters}>
        <SearchField
          label="Documento ou ID Pix"
          value={searchTerm}
          className={styles.search ?? ""}
          onSearch={(text) => change({ searchTerm: text || null, pageCursor: null }, { replace: true })}
        />
        <ChoiceChip<AnalysisStatus>
          label="Status"
          allLabel="Todos os status"
          value={infractionAnalysisStatus}
          options={statusOptions}
          onChange={(status) => change({ infractionAnalysisStatus: status, pageCursor: null })}
        />
        <DayField
          aria-label="De"
          placeholder="De DD/MM/AAAA"
          className={styles.date ?? ""}
          day={infractionStartDate}
          {...(infractionEndDate && { max: infractionEndDate })}
          onChange={(date) => change({ infractionStartDate: date, pageCursor: null }, { replace: true })}
        />
        <DayField
          aria-label="Até"
          placeholder="Até DD/MM/AAAA"
          className={styles.date ?? ""}
          day={infractionEndDate}
          {...(infractionStartDate && { min: infractionStartDate })}
          onChange={(date) => change({ infractionEndDate: date, pageCursor: null }, { replace: true })}
        />
        {isFiltered ? (
          <Button look="quiet" size="sm" onClick={() => change(noFilters)}>
            Limpar filtros
          </Button>
        ) : null}
      </div>
      <ListFaces
        query={list}
        loading="Carregando as infrações"
        failed="Ocorreu um erro ao buscar infrações Pix"
        bones={<Bone height={360} />}
        emptyFace={({ items }) => (items.length > 0 ? null : <NoInfractions isFiltered={isFiltered} />)}
      >
        {({ items, meta }) => (
          <>
            <InfractionsTable
              // The selection belongs to its page.
              key={JSON.stringify(params)}
              infractions={items}
              refetching={list.isPlaceholderData}
            />
            <CursorPager
              previous={meta.previous}
              next={meta.next}
              onCursor={(pageCursor) => change({ pageCursor })}
              size={{
                value: params.pageSize,
                options: contestationPageSizes,
                onSize: (size) =>
                  change({ pageSize: size === contestationPageSizes[0] ? null : size, pageCursor: null }),
              }}
            />
          </>
        )}
      </ListFaces>
    </>
  );
}

function NoInfractions({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="search" title="Nenhuma infração encontrada">
      <p>Confira o que foi digitado ou limpe os filtros para ver todas as infrações.</p>
    </EmptyState>
  ) : (
    <EmptyState drawing="lock" title="Nenhuma infração até agora">
      <p>
        Quando alguém contestar um Pix que sua empresa recebeu, a infração aparece aqui e avisamos por e-mail.
      </p>
    </EmptyState>
  );
}
