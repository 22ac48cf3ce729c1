import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  /** Names the object: `Excluir o lote Folha 11/2026?` */
  title: string;
  children?: ReactNode;
  /** A verb: `Excluir lote`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Destructive: red, and the focus starts on the safe answer. */
  danger?: boolean;
  busy?: boolean;
  /** True when another action in the dialog has to come first. */
  blocked?: boolean;
  /** Reason of the last refusal. It stays visible, unlike a toast. */
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
      // The dialog stays open while the answer is pending, so that the person sees the result.
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
