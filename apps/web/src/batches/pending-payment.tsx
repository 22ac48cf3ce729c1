import type { UseQueryResult } from "@tanstack/react-query";
import { CallError, errorSentence } from "../shell/call.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";

interface PendingPaymentProps {
  title: string;
  payment: Pick<UseQueryResult, "isError" | "error" | "refetch">;
  onClose: () => void;
}

/** A payment that was asked for and has not come, or could not. */
export function PendingPayment({ title, payment, onClose }: PendingPaymentProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {payment.isError ? (
        <ErrorState
          title="Não foi possível abrir o pagamento"
          message={errorSentence(payment.error)}
          requestId={payment.error instanceof CallError ? payment.error.requestId : undefined}
          onRetry={() => void payment.refetch()}
        />
      ) : (
        <LoadingState>
          <Bone height={280} />
        </LoadingState>
      )}
    </Dialog>
  );
}

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
