import type { Infraction } from "@malote/contracts/contestations";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { counted } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useApproveInfractions } from "./api.ts";
import { WhatApprovalDoes } from "./what-approval-does.tsx";

interface ApproveDialogProps {
  infractions: readonly Infraction[];
  onClose: () => void;
  onApproved: () => void;
}

/** MED-021, in plain words (ruling D13). */
export function ApproveDialog({ infractions, onClose, onApproved }: ApproveDialogProps) {
  const approve = useApproveInfractions();
  const approving = useOneAtATime();
  // Snapshot of the request as it was opened: a retry is the same approval, whatever others answer meanwhile.
  const [asked] = useState(() => ({ infractions, idempotencyKey: newId() }));
  const total = asked.infractions.reduce((sum, { returnable_amount: left }) => sum + left, 0);
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
            onSuccess: ({ awaits_approval }) => {
              const done = count === 1 ? "Infração aprovada" : "Infrações aprovadas";
              toast.good(awaits_approval ? awaitsApprovalText : done);
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
      <WhatApprovalDoes
        amount={total}
        given={asked.infractions.reduce((sum, { amount }) => sum + amount, 0) - total}
        many={count > 1}
      />
      <p className="muted">Não pode ser alterado nem desfeito.</p>
    </ConfirmDialog>
  );
}
