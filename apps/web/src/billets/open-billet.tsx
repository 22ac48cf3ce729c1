import { useQuery } from "@tanstack/react-query";
import { PendingPayment } from "../payments/parts.ts";
import { billetQuery } from "./api.ts";
import BilletDetailsDialog from "./billet-details-dialog.tsx";

/** One billet, read by its id, over the list. */
export function OpenBillet({ id, onClose }: { id: string; onClose: () => void }) {
  const billet = useQuery(billetQuery(id));
  return billet.data ? (
    <BilletDetailsDialog billet={billet.data} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes do boleto" payment={billet} onClose={onClose} />
  );
}
