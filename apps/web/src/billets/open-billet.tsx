import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { PendingPayment } from "../payments/parts.ts";
import { recordCheckpoint } from "../shell/checkpoints.ts";
import { billetQuery } from "./api.ts";
import BilletDetailsDialog from "./billet-details-dialog.tsx";

/** One billet, read by its id, over the list. */
export function OpenBillet({ id, onClose }: { id: string; onClose: () => void }) {
  const billet = useQuery(billetQuery(id));
  useEffect(() => void recordCheckpoint("HAS_OPENED_PAYMENT"), []);
  return billet.data ? (
    <BilletDetailsDialog billet={billet.data} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes do boleto" payment={billet} onClose={onClose} />
  );
}
