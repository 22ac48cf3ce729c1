import type { UseQueryResult } from "@tanstack/react-query";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";

interface PendingPaymentProps {
  title: string;
  payment: Pick<UseQueryResult, "isError" | "error" | "isFetching" | "refetch">;
  onClose: () => void;
}

/** A payment that was asked for and has not come, or could not. */
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
