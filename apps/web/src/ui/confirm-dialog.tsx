import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  /** Names the thing: `Excluir o lote Folha 11/2026?` */
  title: string;
  children?: ReactNode;
  /** A verb: `Excluir lote`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Destructive: red, and the focus rests on the safe answer. */
  danger?: boolean;
  busy?: boolean;
  /** Something in the dialog has to be done first. */
  blocked?: boolean;
  /** The reason of the last refusal. It stays visible, unlike a toast. */
  refusal?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    title,
    children,
    confirmLabel,
    cancelLabel = "Cancelar",
    danger = false,
    busy = false,
    blocked = false,
    refusal,
  } = props;
  return (
    <Dialog
      opened={opened}
      // While the answer is awaited the dialog stays, so the outcome is seen.
      onClose={() => (busy ? undefined : props.onClose())}
      title={title}
      actions={
        <>
          <Button onClick={props.onClose} disabled={busy} data-autofocus={danger || undefined}>
            {cancelLabel}
          </Button>
          <Button
            look={danger ? "danger-primary" : "primary"}
            busy={busy}
            disabled={blocked}
            onClick={props.onConfirm}
            data-autofocus={danger ? undefined : true}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {refusal ? <Notice tone="red">{refusal}</Notice> : null}
    </Dialog>
  );
}
