import type { Boleto } from "@malote/contracts/boletos";
import { useState } from "react";
import { refreshTopBar } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useRefundBoleto } from "./api.ts";
import { boletoName } from "./boleto-text.ts";

interface RefundBoletoDialogProps {
  batchId: string;
  boleto: Boleto;
  onClose: () => void;
  onRefunded: () => void;
}

/** Ruling D19: the money of a failed boleto stays in the batch until the boleto is corrected or refunded here. */
export default function RefundBoletoDialog(props: RefundBoletoDialogProps) {
  const { batchId, boleto, onClose, onRefunded } = props;
  const refund = useRefundBoleto(batchId);
  const refunding = useOneAtATime();
  const [refusal, setRefusal] = useState<string>();
  // Generated before sending and repeated by every retry, so a lost answer cannot refund twice.
  const [idempotencyKey] = useState(() => newId());
  function confirm() {
    if (!refunding.begin()) return;
    setRefusal(undefined);
    refund.mutate(
      { billetId: boleto.id, idempotencyKey },
      {
        onSuccess: () => {
          toast.good("O valor do boleto voltou para o saldo!");
          refreshTopBar();
          onRefunded();
        },
        onError: (error) => {
          const text = errorSentence(error, "Ocorreu um erro ao devolver o boleto. Tente novamente!");
          if (text) toast.bad(text);
          setRefusal(text);
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
      refusal={refusal}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        O boleto <strong>{boletoName(boleto)}</strong> não será pago, e{" "}
        <strong className="num">{formatMoney(boleto.value ?? 0)}</strong> voltam para o saldo.
      </p>
      <p className="muted">
        Um boleto devolvido não pode mais ser corrigido. Para pagar de novo, inclua-o em outro lote.
      </p>
    </ConfirmDialog>
  );
}
