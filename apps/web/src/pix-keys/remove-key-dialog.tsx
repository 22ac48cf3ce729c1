import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type PixKey, useDeleteKey } from "./api.ts";
import { cutKey, keyTextMax } from "./key-text.ts";

/** PIX-049, PIX-050: asks before it deletes the key. */
export function RemoveKeyDialog({ pixKey, onClose }: { pixKey: PixKey; onClose: () => void }) {
  const remove = useDeleteKey(pixKey.id);
  return (
    <ConfirmDialog
      opened
      danger
      title="Excluir chave Pix"
      confirmLabel="Confirmar exclusão"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, onClose)}
    >
      <p style={{ overflowWrap: "anywhere" }}>
        Você tem certeza que deseja excluir a chave Pix: {cutKey(pixKey, keyTextMax.inRemoval)}?
      </p>
    </ConfirmDialog>
  );
}
