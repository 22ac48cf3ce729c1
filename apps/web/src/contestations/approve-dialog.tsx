import type { Infraction } from "@malote/contracts/contestations";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { counted, formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useApproveInfractions } from "./api.ts";

interface ApproveDialogProps {
  infractions: readonly Infraction[];
  onClose: () => void;
  onApproved: () => void;
}

/** MED-021, in plain words (decision 13). */
export function ApproveDialog({ infractions, onClose, onApproved }: ApproveDialogProps) {
  const approve = useApproveInfractions();
  const approving = useOneAtATime();
  // Of what was asked, whatever others answer while it is open: sent again, it is the same approval.
  const [asked] = useState(() => ({ infractions, idempotencyKey: newId() }));
  const total = asked.infractions.reduce((sum, { amount }) => sum + amount, 0);
  const count = asked.infractions.length;
  const named = counted(count, "infração", "infrações");
  return (
    <ConfirmDialog
      opened
      title={`Aprovar ${named}?`}
      confirmLabel={count === 1 ? "Aprovar infração" : "Aprovar infrações"}
      danger
      busy={approve.isPending}
      onClose={onClose}
      onConfirm={() => {
        if (!approving.begin()) return;
        approve.mutate(
          { ids: asked.infractions.map(({ id }) => id), idempotencyKey: asked.idempotencyKey },
          {
            onSuccess: () => {
              toast.good(count === 1 ? "Infração aprovada" : "Infrações aprovadas");
              onApproved();
            },
            onError: (error) => {
              const text = errorSentence(error, "Ocorreu um erro ao aprovar infrações pix");
              if (text) toast.bad(text);
            },
            onSettled: approving.end,
          },
        );
      }}
    >
      <p>
        Aprovar é concordar que houve fraude: <strong>{formatMoney(total)}</strong> saem do saldo e voltam{" "}
        {count === 1 ? "ao pagador" : "aos pagadores"}.
      </p>
      <p className="muted">
        O que o saldo não cobrir é devolvido com os valores que entrarem nos próximos 90 dias. Não pode ser
        alterado nem desfeito.
      </p>
    </ConfirmDialog>
  );
}
