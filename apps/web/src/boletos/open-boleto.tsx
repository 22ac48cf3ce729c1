import { useQuery } from "@tanstack/react-query";
import { PendingPayment } from "../payments/parts.ts";
import { boletoQuery } from "./api.ts";
import BoletoDetailsDialog from "./boleto-details-dialog.tsx";

/** One boleto, read by its id, over the list. */
export function OpenBoleto({ id, onClose }: { id: string; onClose: () => void }) {
  const boleto = useQuery(boletoQuery(id));
  return boleto.data ? (
    <BoletoDetailsDialog boleto={boleto.data} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes do boleto" payment={boleto} onClose={onClose} />
  );
}
