import type { PaymentLink } from "@malote/contracts/payment-links";
import { CallError } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRemovePaymentLink } from "./api.ts";

interface RemoveLinkDialogProps {
  link: PaymentLink;
  onClose: () => void;
}

/** LNK-010: asks before it deletes the link. */
export function RemoveLinkDialog({ link, onClose }: RemoveLinkDialogProps) {
  const remove = useRemovePaymentLink();
  const removing = useOneAtATime();
  return (
    <ConfirmDialog
      opened
      title={`Excluir o link ${link.name}?`}
      confirmLabel="Excluir link"
      danger
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => {
        if (!removing.begin()) return;
        remove.mutate(link.id, {
          onSuccess: () => toast.good("Link de Pagamento deletado!"),
          onError: (error) => {
            const cause = error instanceof CallError ? ` ${error.message}` : "";
            toast.bad(`Ocorreu um erro ao deletar o link de pagamento.${cause}`);
          },
          onSettled: onClose,
        });
      }}
    >
      Quem tiver o endereço não consegue mais pagar por ele. Não há como desfazer.
    </ConfirmDialog>
  );
}
