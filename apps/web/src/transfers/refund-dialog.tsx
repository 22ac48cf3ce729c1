import type { Transfer } from "@malote/contracts/transfers";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { refreshTopBar } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { FailedNotice } from "../shell/failed-query.tsx";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { toast } from "../ui/toasts.tsx";
import { failedOfReceiverQuery, useRefundTransfer } from "./api.ts";
import { receiverName } from "./destination-text.ts";

interface RefundDialogProps {
  batchId: string;
  transfer: Transfer;
  onClose: () => void;
  onRefunded: () => void;
}

/** TRF-046 to TRF-048: first shows how many payments of the receiver are returned, because all of them are. */
export default function RefundDialog({ batchId, transfer, onClose, onRefunded }: RefundDialogProps) {
  const to = transfer.destination_bank_account;
  const failed = useQuery(failedOfReceiverQuery(batchId, to.id));
  const refund = useRefundTransfer(batchId);
  const refunding = useOneAtATime();
  const [refusal, setRefusal] = useState<string>();
  // Generated before sending and repeated by every retry, so a lost answer cannot refund twice.
  const [idempotencyKey] = useState(() => newId());
  const payments = failed.data?.data;
  return (
    <ConfirmDialog
      opened
      title="Editar dados de pagamento"
      confirmLabel="Devolver ao saldo"
      busy={refund.isPending || failed.isPending}
      // The server returns all of them, so the number has to be known first. While it is read the button is busy and
      // keeps the focus, which a disabled one would lose.
      blocked={failed.isError && !payments}
      refusal={refusal}
      onClose={onClose}
      onConfirm={() => {
        if (!refunding.begin()) return;
        setRefusal(undefined);
        refund.mutate(
          { tid: transfer.id, idempotencyKey },
          {
            onSuccess: () => {
              toast.good("Sua transferência foi devolvida!");
              refreshTopBar();
              onRefunded();
            },
            onError: (error) => {
              const text = errorSentence(error, "Ocorreu um erro ao devolver a transferência");
              if (text) toast.bad(text);
              setRefusal(text);
            },
            onSettled: refunding.end,
          },
        );
      }}
    >
      {payments ? (
        <Returned payments={payments} name={receiverName(to)} />
      ) : failed.isError ? (
        <FailedNotice title="Não foi possível saber quantos pagamentos serão devolvidos" query={failed} />
      ) : (
        <LoadingState>
          <Bone height={48} />
        </LoadingState>
      )}
      <p className="muted">
        Um pagamento devolvido não pode mais ser corrigido. Para pagar de novo, inclua-o em outro lote.
      </p>
    </ConfirmDialog>
  );
}

function Returned({ payments, name }: { payments: readonly Transfer[]; name: string }) {
  const total = formatMoney(payments.reduce((sum, { value }) => sum + (value ?? 0), 0));
  return payments.length > 1 ? (
    <p>
      <strong>{name}</strong> tem {payments.length} pagamentos com falha neste lote. Todos os{" "}
      {payments.length} serão devolvidos, e <strong className="num">{total}</strong> voltam para o saldo.
    </p>
  ) : (
    <p>
      O pagamento com falha para <strong>{name}</strong> será devolvido, e{" "}
      <strong className="num">{total}</strong> voltam para o saldo.
    </p>
  );
}
