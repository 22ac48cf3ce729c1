import { EmptyState } from "../ui/empty-state.tsx";

/** A list without payments: nothing fits the filter, or there is nothing; an empty draft shows its form instead. */
export function NoPayments({ isFiltered, isDraft }: { isFiltered: boolean; isDraft: boolean }) {
  if (isFiltered)
    return (
      <EmptyState drawing="search" title="Nenhum pagamento encontrado">
        <p>Confira a busca ou veja todos os pagamentos do lote.</p>
      </EmptyState>
    );
  return isDraft ? null : <EmptyState drawing="batches" title="Este lote não tem pagamentos" />;
}
