import type { Receiver } from "@malote/contracts/receivers";
import { errorSentence } from "../shell/call.ts";
import { receiverName } from "../transfers/index.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemoveReceivers } from "./api.ts";

interface RemoveManyDialogProps {
  receivers: readonly Receiver[];
  onClose: () => void;
  onRemoved: () => void;
}

/** Named one by one while they are few. */
const namedMax = 5;

/** RCV-019, RCV-020: asks before it deletes the selected receivers. */
export function RemoveManyDialog({ receivers, onClose, onRemoved }: RemoveManyDialogProps) {
  const remove = useRemoveReceivers();
  const named = receivers.slice(0, namedMax).map(receiverName);
  const others = receivers.length - named.length;
  return (
    <ConfirmDialog
      opened
      title="Excluir Recebedores"
      confirmLabel="Excluir recebedores"
      danger
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          receivers.map(({ id }) => id),
          {
            onSuccess: () => {
              toast.good("Recebedores excluídos com sucesso");
              onRemoved();
            },
            onError: (error) => {
              const text = errorSentence(error, "Ocorreu um erro ao excluir recebedor");
              if (text) toast.bad(text);
            },
          },
        )
      }
    >
      <p>Você deseja excluir os recebedores selecionados?</p>
      <p className="muted">
        {named.join(", ")}
        {others > 0 ? ` e mais ${others}` : ""}. Pagamentos já feitos não mudam.
      </p>
    </ConfirmDialog>
  );
}
