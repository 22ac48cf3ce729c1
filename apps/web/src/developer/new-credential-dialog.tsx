import type { CreatedCredential } from "@malote/contracts/developer";
import { type FormEvent, useId, useState } from "react";
import { errorSentence, generalText } from "../shell/call.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useCreateCredential } from "./api.ts";
import styles from "./developer.module.css";

interface NewCredentialDialogProps {
  onClose: () => void;
  onMade: (credential: CreatedCredential) => void;
}

export function NewCredentialDialog({ onClose, onMade }: NewCredentialDialogProps) {
  const [name, setName] = useState("");
  const formId = useId();
  const create = useCreateCredential();
  const dirty = name.trim() !== "";
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "A credencial ainda não foi gerada.");
  // The dialog stays open while the answer is awaited, so that the secret is seen.
  const leave = () => (create.isPending ? undefined : askBefore(onClose));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    const given = name.trim();
    create.mutate(given ? { name: given } : {}, {
      onSuccess: (credential) => {
        toast.good("Nova credencial de acesso criada com sucesso!");
        onMade(credential);
      },
      onError: (error) => {
        // A refusal without a code or a message is shown, too; only a call that the person left is not.
        const cause = errorSentence(error) ?? errorSentence(error, generalText);
        if (cause) toast.bad(`Ocorreu um erro ao gerar uma nova credencial: ${cause}`);
      },
    });
  }
  return (
    <Dialog
      opened
      onClose={leave}
      title="Nova credencial"
      actions={
        <>
          <Button disabled={create.isPending} onClick={leave}>
            Cancelar
          </Button>
          <Button type="submit" form={formId} look="primary" busy={create.isPending}>
            Gerar credencial
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label="Nome"
          description="O sistema que vai usá-la: ERP, folha de pagamento. Em branco, a data de hoje."
          data-autofocus
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <p className="small muted">A credencial pode fazer o mesmo que o seu perfil, e nada além disso.</p>
      </form>
      {question}
    </Dialog>
  );
}
