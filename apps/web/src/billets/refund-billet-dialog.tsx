import type { Billet } from "@malote/contracts/billets";
import { useState } from "react";
import { refreshTopBar } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useRefundBillet } from "./api.ts";
import { billetName } from "./billet-text.ts";

interface RefundBilletDialogProps {
  batchId: string;
  billet: Billet;
  onClose: () => void;
  onRefunded: () => void;
}

/** Decision 19: the money of a failed billet stays in the batch until the billet is corrected, or it is given back here. */
export default function RefundBilletDialog(props: RefundBilletDialogProps) {
  const { batchId, billet, onClose, onRefunded } = props;
  const refund = useRefundBillet(batchId);
  const refunding = useOneAtATime();
  // Made before sending and kept for every retry, so a lost answer cannot refund twice.
  const [idempotencyKey] = useState(() => newId());
  function confirm() {
    if (!refunding.begin()) return;
    refund.mutate(
      { billetId: billet.id, idempotencyKey },
      {
        onSuccess: () => {
          toast.good("O valor do boleto voltou para o saldo!");
          refreshTopBar();
          onRefunded();
        },
        onError: (error) => {
          const text = errorSentence(error, "Ocorreu um erro ao devolver o boleto. Tente novamente!");
          if (text) toast.bad(text);
        },
        onSettled: refunding.end,
      },
    );
  }
  return (
    <ConfirmDialog
      opened
      title="Devolver boleto ao saldo"
      confirmLabel="Devolver ao saldo"
      busy={refund.isPending}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        O boleto <strong>{billetName(billet)}</strong> não será pago, e{" "}
        <strong className="num">{formatMoney(billet.value ?? 0)}</strong> voltam para o saldo.
      </p>
      <p className="muted">
        Um boleto devolvido não pode mais ser corrigido. Para pagar de novo, inclua-o em outro lote.
      </p>
    </ConfirmDialog>
  );
}
