import { EmptyState } from "../ui/empty-state.tsx";

/**
 * Shown for a list without payments: nothing matches the filter, or there are none. An empty draft shows its form
 * instead.
 */
export function NoPayments({ isFiltered, isDraft }: { isFiltered: boolean; isDraft: boolean }) {
  if (isFiltered)
    return (
      <EmptyState drawing="search" title="Nenhum pagamento encontrado">
        <p>Confira a busca ou veja todos os pagamentos do lote.</p>
      </EmptyState>
    );
  return isDraft ? null : <EmptyState drawing="batches" title="Este lote não tem pagamentos" />;
}
