import type { Billet } from "@malote/contracts/billets";
import { useState } from "react";
import { refreshTopBar } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useRemoveBillet } from "./api.ts";
import { billetName, payDayText } from "./billet-text.ts";

interface CancelScheduleDialogProps {
  batchId: string;
  billet: Billet;
  onClose: () => void;
}

/** BIL-028, BIL-029. */
export default function CancelScheduleDialog({ batchId, billet, onClose }: CancelScheduleDialogProps) {
  const remove = useRemoveBillet(batchId);
  const cancelling = useOneAtATime();
  // Made before sending and kept for every retry: the answer that was lost is told when it is asked for again.
  const [idempotencyKey] = useState(() => newId());
  function confirm() {
    if (!cancelling.begin()) return;
    remove.mutate(
      { billetId: billet.id, idempotencyKey },
      {
        onSuccess: () => {
          toast.good("Agendamento cancelado com sucesso!");
          refreshTopBar();
          onClose();
        },
        onError: (error) => {
          const text = errorSentence(error, "Ocorreu um erro ao cancelar o boleto. Tente novamente!");
          if (text) toast.bad(text);
        },
        onSettled: cancelling.end,
      },
    );
  }
  return (
    <ConfirmDialog
      opened
      title="Cancelar agendamento"
      confirmLabel="Cancelar agendamento"
      cancelLabel="Voltar"
      danger
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        O boleto <strong>{billetName(billet)}</strong>, agendado para {payDayText(billet)}, não será pago, e{" "}
        <strong className="num">{formatMoney(billet.value ?? 0)}</strong> voltam para o saldo.
      </p>
      <p className="muted">Não é possível desfazer. Para pagar este boleto, inclua-o em outro lote.</p>
    </ConfirmDialog>
  );
}
