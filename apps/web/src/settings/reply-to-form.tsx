import { isEmail, normaliseEmail } from "@malote/domain/email";
import { type FormEvent, useState } from "react";
import { errorSentence, wasLeft } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useSaveReplyTo } from "./api.ts";
import styles from "./settings.module.css";

/** Form of SET-016 to SET-019. */
export function ReplyToForm({ saved }: { saved: string }) {
  const [email, setEmail] = useState(saved);
  const [wasSent, setWasSent] = useState(false);
  const save = useSaveReplyTo();
  const saving = useOneAtATime();
  const isWrong = !isEmail(email.trim());
  useUnsavedWork(email !== saved);

  function submit(event: FormEvent) {
    event.preventDefault();
    setWasSent(true);
    if (isWrong || !saving.begin()) return;
    const normal = normaliseEmail(email);
    save.mutate(normal, {
      onSuccess: () => {
        setEmail(normal);
        toast.good("Configurações salvas com sucesso!");
      },
      onError: (error) => {
        // The person closed the question for the password, so nothing failed.
        if (wasLeft(error)) return;
        toast.bad(`Ocorreu um erro ao salvar a configuração ${errorSentence(error) ?? ""}`.trim());
      },
      onSettled: saving.end,
    });
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        label="E-mail que receberá as respostas:"
        type="email"
        required
        maxLength={77}
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={wasSent && isWrong ? "E-mail inválido" : undefined}
      />
      <div className={styles.submit}>
        <Button type="submit" look="primary" busy={save.isPending}>
          Salvar
        </Button>
      </div>
    </form>
  );
}
