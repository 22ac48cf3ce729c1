import type { Infraction } from "@malote/contracts/contestations";
import type { Analysis } from "@malote/domain/infraction";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { WhatApprovalDoes } from "./what-approval-does.tsx";

interface ConfirmAnswerDialogProps {
  infraction: Infraction;
  decision: Analysis;
  hasAttachment: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Explains what the decision does, and what its sender declares (MED-034, ruling D13). */
export function ConfirmAnswerDialog(props: ConfirmAnswerDialogProps) {
  const { infraction, decision, hasAttachment, ...rest } = props;
  const amount = formatMoney(infraction.amount);
  const isApproval = decision === "accepted";
  return (
    <ConfirmDialog
      opened
      title={`${isApproval ? "Aprovar" : "Reprovar"} a infração de ${infraction.payer_name}?`}
      confirmLabel={isApproval ? "Aprovar" : "Reprovar"}
      danger
      {...rest}
    >
      {isApproval ? (
        <WhatApprovalDoes
          amount={infraction.returnable_amount}
          given={infraction.amount - infraction.returnable_amount}
        />
      ) : (
        <p>
          Reprovar é defender a venda de <strong>{amount}</strong>:{" "}
          {hasAttachment ? "a descrição e o anexo vão" : "a descrição vai"} à instituição que analisa o caso,
          e ela decide se o valor volta ao pagador.
        </p>
      )}
      <p className="muted">
        Declaro que as informações enviadas são verdadeiras e estou ciente de que esta resposta não pode ser
        alterada nem desfeita.
      </p>
    </ConfirmDialog>
  );
}
