import { exportInfractions } from "@malote/contracts/contestations";
import { type AnalysisStatus, analysisNames, analysisStatuses } from "@malote/domain/infraction";
import { contestationPageSizes } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import { ListPage } from "../shell/list-page.tsx";
import { useListSearch } from "../shell/list-search.ts";
import { may, useSession } from "../shell/session.ts";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { DayField } from "../ui/day-range.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { AnswerNotice } from "./answer-notice.tsx";
import { filtersOf, type InfractionListParams, infractionListQuery } from "./api.ts";
import styles from "./contestations.module.css";
import { ExportButton, RequestedExport } from "./export-button.tsx";
import { InfractionsTable } from "./infractions-table.tsx";
import { infractionsSearch } from "./search.ts";

const [, ...otherSizes] = contestationPageSizes;
const statusOptions = analysisStatuses.map((value) => ({ value, label: analysisNames[value] }));

export default function InfractionsPage() {
  const session = useSession();
  const search = useListSearch(infractionsSearch);
  const { exportacao, pageCursor = null, ...rest } = search.values;
  const params: InfractionListParams = { ...rest, pageCursor };
  const { searchTerm, infractionAnalysisStatus, infractionStartDate, infractionEndDate, pageSize } = params;
  const { isFiltered, change, filter } = search;
  const list = useQuery(infractionListQuery(params));
  return (
    <ListPage
      search={search}
      query={list}
      loading="Carregando as infrações"
      failed="Ocorreu um erro ao buscar infrações Pix"
      header={
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
        </>
      }
      filters={
        <>
          <SearchField
            label="Documento ou ID Pix"
            value={searchTerm}
            onSearch={(text) => filter({ searchTerm: text || null }, { replace: true })}
          />
          <ChoiceChip<AnalysisStatus>
            label="Status"
            allLabel="Todos os status"
            value={infractionAnalysisStatus}
            options={statusOptions}
            onChange={(status) => filter({ infractionAnalysisStatus: status })}
          />
          <DayField
            aria-label="De"
            placeholder="De DD/MM/AAAA"
            className={styles.date ?? ""}
            day={infractionStartDate}
            {...(infractionEndDate && { max: infractionEndDate })}
            onChange={(date) => filter({ infractionStartDate: date }, { replace: true })}
          />
          <DayField
            aria-label="Até"
            placeholder="Até DD/MM/AAAA"
            className={styles.date ?? ""}
            day={infractionEndDate}
            {...(infractionStartDate && { min: infractionStartDate })}
            onChange={(date) => filter({ infractionEndDate: date }, { replace: true })}
          />
        </>
      }
      bones={<Bone height={360} />}
      emptyFace={({ items }) => (items.length > 0 ? null : <NoInfractions isFiltered={isFiltered} />)}
      cursors={({ items, meta }) => ({ ...meta, rowsCount: items.length })}
      size={{
        value: pageSize,
        options: contestationPageSizes,
        onSize: (size) => filter({ pageSize: otherSizes.find((known) => known === size) ?? null }),
      }}
    >
      {({ items }, key) => (
        <InfractionsTable
          // The selection belongs to its page.
          key={key}
          infractions={items}
          refetching={list.isPlaceholderData}
        />
      )}
    </ListPage>
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
