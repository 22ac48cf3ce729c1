import type { Boleto } from "@malote/contracts/boletos";
import { useState } from "react";
import { refreshTopBar } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useRemoveBoleto } from "./api.ts";
import { boletoName, payDayText } from "./boleto-text.ts";

interface CancelScheduleDialogProps {
  batchId: string;
  boleto: Boleto;
  onClose: () => void;
}

/** BIL-028, BIL-029: cancelling a scheduled boleto deletes it. */
export default function CancelScheduleDialog({ batchId, boleto, onClose }: CancelScheduleDialogProps) {
  const remove = useRemoveBoleto(batchId);
  const cancelling = useOneAtATime();
  // Generated before sending and repeated by every retry, so a retry after a lost answer returns the first
  // result.
  const [idempotencyKey] = useState(() => newId());
  function confirm() {
    if (!cancelling.begin()) return;
    remove.mutate(
      { billetId: boleto.id, idempotencyKey },
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
        O boleto <strong>{boletoName(boleto)}</strong>, agendado para {payDayText(boleto)}, não será pago, e{" "}
        <strong className="num">{formatMoney(boleto.value ?? 0)}</strong> voltam para o saldo.
      </p>
      <p className="muted">Não é possível desfazer. Para pagar este boleto, inclua-o em outro lote.</p>
    </ConfirmDialog>
  );
}
