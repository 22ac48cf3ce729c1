import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface DiscardQuestion {
  /** Runs `go` at once, or after the person agreed that what was typed is lost. */
  askBefore: (go: () => void) => void;
  /** Dialog to render inside the form's own layer. */
  question: ReactNode;
}

/** Asks before typed text is lost; the question names the object with unsaved changes. */
export function useDiscardQuestion(dirty: boolean, text: string): DiscardQuestion {
  const [waiting, setWaiting] = useState<{ go: () => void }>();
  const close = () => setWaiting(undefined);
  return {
    askBefore(go) {
      if (dirty) setWaiting({ go });
      else go();
    },
    question: (
      <ConfirmDialog
        opened={waiting !== undefined}
        title="Descartar o que foi preenchido?"
        confirmLabel="Descartar"
        cancelLabel="Continuar preenchendo"
        danger
        onConfirm={() => {
          close();
          waiting?.go();
        }}
        onClose={close}
      >
        <p>{text}</p>
      </ConfirmDialog>
    ),
  };
}
