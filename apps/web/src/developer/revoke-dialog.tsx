import type { Credential } from "@malote/contracts/developer";
import { errorSentence } from "../shell/call.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { useRevokeCredential } from "./api.ts";

interface RevokeDialogProps {
  credential: Credential;
  onClose: () => void;
}

export function RevokeDialog({ credential, onClose }: RevokeDialogProps) {
  const revoke = useRevokeCredential();
  return (
    <ConfirmDialog
      opened
      title={`Revogar a credencial ${credential.name}?`}
      confirmLabel="Revogar credencial"
      danger
      busy={revoke.isPending}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(credential.id, {
          onSuccess: () => {
            toast.good(`A credencial ${credential.name} foi revogada.`);
            onClose();
          },
          onError: (error) => {
            const text = errorSentence(error, "Não foi possível revogar a credencial. Tente de novo.");
            if (text) toast.bad(text);
          },
        })
      }
    >
      O sistema que a usa para de funcionar na hora: os tokens que já recebeu deixam de valer. Não há como
      desfazer.
    </ConfirmDialog>
  );
}
