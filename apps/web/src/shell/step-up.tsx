import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

/** Opens above any dialog and returns the code to repeat the refused call with; undefined when the person closes it. */
export function askForCode(problem: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const place = document.createElement("div");
    document.body.append(place);
    const root = createRoot(place);
    root.render(
      <CodeDialog
        problem={problem}
        onAnswer={(code) => {
          root.unmount();
          place.remove();
          resolve(code);
        }}
      />,
    );
  });
}

interface CodeDialogProps {
  problem: string | undefined;
  onAnswer: (code: string | undefined) => void;
}

function CodeDialog({ problem, onAnswer }: CodeDialogProps) {
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState(problem);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (/^\d{6}$/.test(code)) onAnswer(code);
    else setRefused("Código obrigatório e deve conter exatamente 6 números");
  }
  return (
    <Dialog
      opened
      title="Código do autenticador"
      onClose={() => onAnswer(undefined)}
      actions={
        <>
          <Button onClick={() => onAnswer(undefined)}>Cancelar</Button>
          <Button look="primary" type="submit" form="step-up">
            Confirmar
          </Button>
        </>
      }
    >
      <form id="step-up" onSubmit={submit} noValidate>
        <TextField
          label="Código de 6 números"
          description="Sua empresa pede o código que aparece agora no aplicativo autenticador para liberar este valor."
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          value={code}
          error={refused}
          onChange={(event) => {
            setCode(event.currentTarget.value.replace(/\D/g, "").slice(0, 6));
            setRefused(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
