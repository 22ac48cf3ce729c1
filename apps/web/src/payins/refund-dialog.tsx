import type { Payin } from "@malote/contracts/payins";
import { refundsOnlyInFull } from "@malote/domain/payin";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { payinQuery, useRefundPayin } from "./api.ts";
import { amountProblem } from "./refund-rules.ts";

/** A refund without an answer. It may have been done: sent again, under its key and with its amount, it is the same one. */
export interface LostRefund {
  amount: number;
  idempotencyKey: string;
}

interface RefundDialogProps {
  payin: Payin;
  /** Of this payin, also from an earlier dialog. */
  lost: LostRefund | undefined;
  onLost: (lost: LostRefund | undefined) => void;
  onClose: () => void;
}

/** Whether what failed so may have been done all the same. */
function mayBeDone(error: unknown, wasLost: boolean): boolean {
  if (!(error instanceof CallError)) return true;
  const { status, errorCode } = error;
  if (status === 0 || status >= 500 || errorCode === "idempotency_in_progress") return true;
  // Refused at the door: nothing was done now, and nothing is said of what was sent before.
  return wasLost && [401, 403, 429].includes(status);
}

/** PAY-030: how much, and then whether that is meant. */
export default function RefundDialog({ payin, lost, onLost, onClose }: RefundDialogProps) {
  const formId = useId();
  // What the list knows of it may be older than its last refund.
  const { data: { refundable_amount: refundable } = payin } = useQuery(payinQuery(payin.id));
  const isWhole = refundsOnlyInFull({ type: payin.payment_type, isBlocked: payin.status === "blocked" });
  const [typed, setTyped] = useState<number | null>(null);
  const [step, setStep] = useState<"fill" | "confirm">("fill");
  const [wasSent, setWasSent] = useState(false);
  const refund = useRefundPayin();
  const refunding = useOneAtATime();
  // Made before sending and kept for every retry, so a lost answer cannot give back twice.
  const [idempotencyKey] = useState(() => lost?.idempotencyKey ?? newId());
  const amount = lost?.amount ?? (isWhole ? refundable : typed);
  const problem = lost ? undefined : amountProblem(amount, refundable);
  const notice = lost ? (
    <Notice tone="yellow" title={`A devolução de ${formatMoney(lost.amount)} pode já ter sido feita`} alert>
      A resposta se perdeu no caminho. Envie de novo para saber: o valor não é devolvido duas vezes.
    </Notice>
  ) : null;

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
                onLost(undefined);
                onClose();
              },
              onError: (error) => {
                onLost(mayBeDone(error, lost !== undefined) ? { amount, idempotencyKey } : undefined);
                const text = errorSentence(error, "Ocorreu um erro na devolução de valor");
                if (text) toast.bad(text);
              },
              onSettled: refunding.end,
            },
          );
        }}
      >
        {notice}
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
      {notice}
      <form id={formId} noValidate onSubmit={onSubmit}>
        <MoneyInput
          label="Valor da devolução"
          description={
            lost
              ? "O valor é o que já foi enviado"
              : isWhole
                ? `Este recebimento só pode ser devolvido por inteiro: ${formatMoney(refundable)}`
                : `Você pode devolver até ${formatMoney(refundable)}`
          }
          value={amount}
          onChange={setTyped}
          disabled={isWhole || lost !== undefined}
          error={wasSent ? problem : undefined}
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
