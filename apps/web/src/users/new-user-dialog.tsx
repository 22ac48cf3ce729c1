import { type ErrorCode, errorText } from "@malote/contracts/errors";
import { isEmail } from "@malote/domain/email";
import { isFullName } from "@malote/domain/person-name";
import { type FormEvent, useId, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import type { Session } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useDiscardQuestion } from "../ui/discard-question.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { AccessFields, type AccessValues, problemsOfAccess } from "./access-fields.tsx";
import { useCreateUser } from "./api.ts";
import styles from "./users.module.css";

const sentence = (code: ErrorCode) => errorText(code);
const fieldIds = { name: "nome", email: "email", applications: "produtos", profile: "perfil" } as const;
type Field = keyof typeof fieldIds;

interface FormValues extends AccessValues {
  name: string;
  email: string;
}

function problemsOf(values: FormValues): Partial<Record<Field, string>> {
  return {
    ...(!isFullName(values.name) && { name: sentence("name_incomplete") }),
    ...(!isEmail(values.email.trim()) && {
      email: values.email.trim() ? sentence("user_email_invalid") : "Digite o e-mail",
    }),
    ...problemsOfAccess(values),
  };
}

const aboutEmail = new Set<unknown>(["user_email_taken", "user_email_invalid"]);

/** Form of COM-018 to COM-021. */
export function NewUserDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const formId = useId();
  const [values, setValues] = useState<FormValues>({ name: "", email: "", applications: [], profile: null });
  const [attempt, setAttempt] = useState(0);
  /** Refusal of the e-mail: the only field that the server checks beyond the form. */
  const [refusal, setRefusal] = useState<string>();
  const create = useCreateUser();
  const creating = useOneAtATime();
  const dirty = Boolean(values.name || values.email || values.applications.length > 0 || values.profile);
  useUnsavedWork(dirty);
  const { askBefore, question } = useDiscardQuestion(dirty, "Este usuário ainda não foi criado.");
  const leave = () => (create.isPending ? undefined : askBefore(onClose));
  const problems: Partial<Record<Field, string>> = {
    ...(attempt > 0 && problemsOf(values)),
    ...(refusal && { email: refusal }),
  };

  function change(given: Partial<FormValues>) {
    setValues((before) => ({ ...before, ...given }));
    setRefusal(undefined);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    setRefusal(undefined);
    setAttempt(attempt + 1);
    const { name, email, applications, profile } = values;
    if (Object.keys(problemsOf(values)).length > 0 || !profile || !creating.begin()) return;
    create.mutate(
      { name, email: email.trim(), profile, applications: [...applications] },
      {
        onSuccess: () => {
          toast.good("Usuário criado com sucesso!");
          onClose();
        },
        onError: (error) => {
          const text = errorSentence(error, "Não foi possível criar o usuário. Tente de novo.");
          if (!(error instanceof CallError && aboutEmail.has(error.errorCode))) {
            if (text) toast.bad(text);
            return;
          }
          setRefusal(text);
          setAttempt((before) => before + 1);
        },
        onSettled: creating.end,
      },
    );
  }
  const field = (name: "name" | "email") => ({
    id: fieldIds[name],
    name,
    value: values[name],
    error: problems[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <Dialog
      opened
      size="lg"
      title="Criar usuário"
      onClose={leave}
      actions={
        <>
          <Button onClick={leave} disabled={create.isPending}>
            Cancelar
          </Button>
          <Button look="primary" type="submit" form={formId} busy={create.isPending}>
            Criar usuário
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <ErrorSummary
          attempt={attempt}
          problems={Object.entries(problems).map(([name, message]) => ({
            fieldId: fieldIds[name as Field],
            message,
          }))}
        />
        <TextField
          {...field("name")}
          label="Nome completo"
          autoComplete="off"
          maxLength={120}
          data-autofocus
        />
        <TextField
          {...field("email")}
          label="E-mail"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          description="A pessoa recebe neste e-mail um link para criar a própria senha."
        />
        <AccessFields
          values={values}
          problems={problems}
          offered={session.allowed_applications}
          onChange={change}
        />
      </form>
      {question}
    </Dialog>
  );
}
