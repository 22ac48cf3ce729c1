import type { Payin } from "@malote/contracts/payins";
import { refundsOnlyInFull } from "@malote/domain/payin";
import { type SyntheticEvent, useId, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRefundPayin } from "./api.ts";
import { amountProblem } from "./refund-rules.ts";

/** PAY-030: how much, and then whether that is meant. */
export default function RefundDialog({ payin, onClose }: { payin: Payin; onClose: () => void }) {
  const formId = useId();
  const { refundable_amount: refundable } = payin;
  const isWhole = refundsOnlyInFull({ type: payin.payment_type, isBlocked: payin.status === "blocked" });
  const [amount, setAmount] = useState<number | null>(isWhole ? refundable : null);
  const [step, setStep] = useState<"fill" | "confirm">("fill");
  const [wasSent, setWasSent] = useState(false);
  const refund = useRefundPayin();
  const refunding = useOneAtATime();
  // Made before sending and kept for every retry, so a lost answer cannot give back twice.
  const [idempotencyKey] = useState(() => newId());
  const problem = amountProblem(amount, refundable);

  if (step === "confirm" && amount !== null) {
    const payer = payin.payer.name ?? "quem pagou";
    return (
      <ConfirmDialog
        opened
        title="Devolver recebimento"
        confirmLabel="Devolver"
        danger
        busy={refund.isPending}
        onClose={() => setStep("fill")}
        onConfirm={() => {
          if (!refunding.begin()) return;
          refund.mutate(
            { id: payin.id, amount, idempotencyKey },
            {
              onSuccess: () => {
                toast.good("Valor devolvido com sucesso");
                onClose();
              },
              onError: (error) => {
                const text = errorSentence(error, "Ocorreu um erro na devolução de valor");
                if (text) toast.bad(text);
              },
              onSettled: refunding.end,
            },
          );
        }}
      >
        <p>
          Tem certeza que deseja devolver {formatMoney(amount)} para {payer}?
        </p>
        <p className="muted">O valor sai do seu saldo agora e não pode ser cobrado de volta.</p>
      </ConfirmDialog>
    );
  }

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    setWasSent(true);
    if (!problem) setStep("confirm");
  }
  return (
    <Dialog
      opened
      size="sm"
      title="Devolver recebimento"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button look="primary" type="submit" form={formId}>
            Continuar
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit}>
        <MoneyInput
          label="Valor da devolução"
          description={
            isWhole
              ? `Este recebimento só pode ser devolvido por inteiro: ${formatMoney(refundable)}`
              : `Você pode devolver até ${formatMoney(refundable)}`
          }
          value={amount}
          onChange={setAmount}
          disabled={isWhole}
          error={wasSent ? problem : undefined}
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
