import type { LimitsView } from "@malote/contracts/limits";
import { paymentMethodNames, periodNames, restoreHours } from "@malote/domain/payment-limits";
import { type SyntheticEvent, useId, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { toast } from "../ui/toasts.tsx";
import { type Limit, useChangeLimit } from "./limits-api.ts";

/**
 * Changes one limit: lowering applies at once, raising after the installation's hours, and up to the value before a
 * recent lowering at once.
 */
export default function ChangeLimitDialog({
  limit,
  raiseHours,
  onClose,
}: {
  limit: Limit;
  raiseHours: LimitsView["raise_hours"];
  onClose: () => void;
}) {
  const formId = useId();
  const [value, setValue] = useState<number | null>(limit.limit);
  const [wasSent, setWasSent] = useState(false);
  const change = useChangeLimit(limit);
  const problem = problemOf(value, limit);
  const dirty = value !== limit.limit;
  useUnsavedWork(dirty && !change.isSuccess);
  const { askBefore, question } = useDiscardQuestion(dirty, "O limite ainda não foi mudado.");
  const leave = () => (change.isPending ? undefined : askBefore(onClose));
  const waits = value !== null && value > Math.max(limit.limit, limit.restores_to ?? 0);

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    setWasSent(true);
    if (value === null || problem || change.isPending) return;
    change.mutate(value, {
      onSuccess: () => {
        toast.good(
          waits ? `Pedido feito: o novo limite vale em ${raiseHours} horas.` : "O novo limite já vale.",
        );
        onClose();
      },
      onError: (error) => {
        const text = errorSentence(error, "Não foi possível mudar o limite.");
        if (text) toast.bad(text);
      },
    });
  }

  return (
    <Dialog
      opened
      size="sm"
      title={`Limite ${periodNames[limit.period]} de ${paymentMethodNames[limit.payment_method]}`}
      onClose={leave}
      actions={
        <>
          <Button onClick={leave} disabled={change.isPending}>
            Cancelar
          </Button>
          <Button look="primary" type="submit" form={formId} busy={change.isPending}>
            {waits ? "Pedir aumento" : "Salvar limite"}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit}>
        <MoneyInput
          label="Novo limite"
          data-autofocus
          value={value}
          onChange={setValue}
          error={wasSent ? problem : undefined}
        />
      </form>
      <p className="small muted">
        Um limite menor vale na hora. Um maior vale {raiseHours} horas depois do pedido, e avisamos todos os
        administradores por e-mail. O máximo é {formatMoney(limit.maximum)}.
        {limit.restores_to === null
          ? null
          : ` Você reduziu este limite há menos de ${restoreHours} horas: até ${formatMoney(limit.restores_to)}, ele volta na hora.`}
      </p>
      {question}
    </Dialog>
  );
}

function problemOf(value: number | null, limit: Limit): string | undefined {
  if (value === null) return "Digite um valor";
  if (value === limit.limit) return "Este já é o limite. Digite outro valor.";
  // A limit above a maximum that was lowered later may still be reduced.
  return value > Math.max(limit.maximum, limit.limit)
    ? `O limite pode ir até ${formatMoney(limit.maximum)}.`
    : undefined;
}
