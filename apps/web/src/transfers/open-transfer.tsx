import { useQuery } from "@tanstack/react-query";
import { PendingPayment } from "../payments/parts.ts";
import { transferQuery } from "./api.ts";
import TransferDetailsDialog from "./transfer-details-dialog.tsx";

/** TRF-055: one transfer, read by its id, over the list. */
export function OpenTransfer({ id, onClose }: { id: string; onClose: () => void }) {
  const transfer = useQuery(transferQuery(id));
  return transfer.data ? (
    <TransferDetailsDialog transfer={transfer.data} batch={transfer.data.Batch} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes da transferência" payment={transfer} onClose={onClose} />
  );
}
