import type { CreatedCredential } from "@malote/contracts/developer";
import { type FormEvent, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
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
  const create = useCreateCredential();

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
        const cause = errorSentence(error);
        if (cause) toast.bad(`Ocorreu um erro ao gerar uma nova credencial: ${cause}`);
      },
    });
  }
  return (
    // While the answer is on its way the dialog stays, so that the secret is seen.
    <Dialog opened onClose={() => (create.isPending ? undefined : onClose())} title="Nova credencial">
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label="Nome"
          description="O sistema que vai usá-la: ERP, folha de pagamento. Em branco, a data de hoje."
          data-autofocus
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <p className="small muted">A credencial pode fazer o mesmo que o seu perfil, e nada além disso.</p>
        <div className={styles.end}>
          <Button disabled={create.isPending} onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Gerar credencial
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
