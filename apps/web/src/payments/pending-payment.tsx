import type { UseQueryResult } from "@tanstack/react-query";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";

interface PendingPaymentProps {
  title: string;
  payment: Pick<UseQueryResult, "isError" | "error" | "isFetching" | "refetch">;
  onClose: () => void;
}

/** Shown while a requested payment is loading, or when that failed. */
export function PendingPayment({ title, payment, onClose }: PendingPaymentProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {payment.isError ? (
        <FailedQuery title="Não foi possível abrir o pagamento" query={payment} />
      ) : (
        <LoadingState>
          <Bone height={280} />
        </LoadingState>
      )}
    </Dialog>
  );
}
