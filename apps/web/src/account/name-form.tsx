import type { ResponseOf } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import type { readMe } from "@malote/contracts/session";
import { isFullName, normalisePersonName } from "@malote/domain/person-name";
import { type FormEvent, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./account.module.css";
import { useChangeName } from "./api.ts";

/** ACC-005 to ACC-008: the name can change; the e-mail is fixed, because the person signs in with it. */
export function NameForm({ me }: { me: ResponseOf<typeof readMe> }) {
  const [name, setName] = useState(me.name);
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  const change = useChangeName();
  const isDirty = normalisePersonName(name) !== me.name;
  useUnsavedWork(isDirty);
  const problem = refusal ?? (attempt > 0 && !isFullName(name) ? errorText("name_incomplete") : undefined);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    setRefusal(undefined);
    setAttempt(attempt + 1);
    if (!isFullName(name)) return;
    change.mutate(normalisePersonName(name), {
      onSuccess: (_, saved) => {
        setName(saved);
        setAttempt(0);
        toast.good("Dados salvos com sucesso");
      },
      onError: (error) => {
        setRefusal(errorSentence(error, "Não foi possível salvar seus dados."));
        setAttempt((before) => before + 1);
      },
    });
  }
  return (
    <form className={styles.password} onSubmit={submit} noValidate>
      <ErrorSummary attempt={attempt} problems={problem ? [{ fieldId: "nome", message: problem }] : []} />
      <TextField
        id="nome"
        name="name"
        label="Nome completo"
        autoComplete="name"
        maxLength={120}
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setRefusal(undefined);
        }}
      />
      <TextField id="email" label="E-mail" type="email" value={me.email} readOnly />
      <div className={styles.actions}>
        <Button type="submit" look="primary" busy={change.isPending}>
          Salvar
        </Button>
      </div>
    </form>
  );
}
