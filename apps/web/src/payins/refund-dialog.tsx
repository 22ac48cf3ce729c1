import type { Payin } from "@malote/contracts/payins";
import { refundsOnlyInFull } from "@malote/domain/payin";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import { companySettingsQuery } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { LostNotice } from "../shell/lost-notice.tsx";
import { useLostRequest } from "../shell/lost-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { payinQuery, useRefundPayin } from "./api.ts";
import { amountProblem } from "./refund-rules.ts";

/** PAY-030: asks for the amount, and then for a confirmation. */
export default function RefundDialog({ payin: listed, onClose }: { payin: Payin; onClose: () => void }) {
  const formId = useId();
  // The list may be older than the last refund.
  const { data: payin = listed } = useQuery(payinQuery(listed.id));
  const { refundable_amount: refundable } = payin;
  // The cautious sentence is shown until the settings are read.
  const leavesAtOnce = useQuery(companySettingsQuery).data?.asksForApprovals === false;
  const isWhole = refundsOnlyInFull({ type: payin.payment_type, isBlocked: payin.status === "blocked" });
  const [typed, setTyped] = useState<number | null>(null);
  // Amount that the person confirmed, whatever is read of the payin meanwhile.
  const [agreed, setAgreed] = useState<number>();
  const [wasSent, setWasSent] = useState(false);
  const refund = useRefundPayin();
  const refunding = useOneAtATime();
  const [refusal, setRefusal] = useState<string>();
  const { lost, idempotencyKey, ...request } = useLostRequest<number>(`devolucao.${listed.id}`);
  const amount = lost ?? (isWhole ? refundable : typed);
  const problem = lost === undefined ? amountProblem(amount, refundable) : undefined;
  const isFixed = isWhole || lost !== undefined;
  const notice =
    lost === undefined ? null : (
      <LostNotice
        title={`A devolução de ${formatMoney(lost)} pode já ter sido feita`}
        onDiscard={() => {
          request.discard();
          setAgreed(undefined);
        }}
      />
    );

  if (agreed !== undefined) {
    const payer = payin.payer.name ?? "quem pagou";
    return (
      <ConfirmDialog
        opened
        title="Devolver recebimento"
        confirmLabel="Devolver"
        danger
        busy={refund.isPending}
        refusal={refusal}
        onClose={() => {
          setRefusal(undefined);
          setAgreed(undefined);
        }}
        onConfirm={() => {
          if (!refunding.begin()) return;
          setRefusal(undefined);
          request.sending(agreed);
          refund.mutate(
            { id: payin.id, amount: agreed, idempotencyKey },
            {
              onSuccess: ({ awaits_approval }) => {
                toast.good(awaits_approval ? awaitsApprovalText : "Valor devolvido com sucesso");
                request.answered();
                onClose();
              },
              onError: (error) => {
                request.failed(error, agreed);
                const text = errorSentence(error, "Ocorreu um erro na devolução de valor");
                if (text) toast.bad(text);
                setRefusal(text);
              },
              onSettled: refunding.end,
            },
          );
        }}
      >
        {notice}
        <p>
          Tem certeza que deseja devolver {formatMoney(agreed)} para {payer}?
        </p>
        <p className="muted">
          {leavesAtOnce
            ? "O valor sai do seu saldo agora e não pode ser cobrado de volta."
            : "O valor sai do seu saldo depois das aprovações que a sua empresa pede e não pode ser cobrado de volta."}
        </p>
      </ConfirmDialog>
    );
  }

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    setWasSent(true);
    if (!problem && amount !== null) setAgreed(amount);
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
          <Button look="primary" type="submit" form={formId} data-autofocus={isFixed || undefined}>
            Continuar
          </Button>
        </>
      }
    >
      {notice}
      {payin.infraction_ids.length > 0 ? (
        <Notice tone="yellow" title="O pagador contestou este Pix">
          O que for devolvido aqui não é devolvido de novo pela contestação, que continua aberta até ser
          respondida.
        </Notice>
      ) : null}
      <form id={formId} noValidate onSubmit={onSubmit}>
        <MoneyInput
          label="Valor da devolução"
          description={
            lost !== undefined
              ? "O valor é o que já foi enviado"
              : `Você pode devolver até ${formatMoney(refundable)}${isWhole ? ", somente por inteiro" : ""}`
          }
          value={amount}
          onChange={setTyped}
          disabled={isFixed}
          error={wasSent ? problem : undefined}
          data-autofocus={!isFixed || undefined}
        />
      </form>
    </Dialog>
  );
}
