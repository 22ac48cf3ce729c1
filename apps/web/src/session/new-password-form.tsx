import { readPasswordLink, spendPasswordLink } from "@malote/contracts/session";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CallError, call, errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { PasswordRules, problemsOfNewPassword } from "../ui/password-rules.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./sign-in-form.module.css";

interface NewPasswordFormProps {
  /** Token of the e-mail's link. */
  token: string;
  onChosen: (email: string) => void;
  /** Called when the link is invalid: shows the sign-in form. */
  onLeave: () => void;
}

/** Decision 0016: an invited person, or one who forgot their password, chooses one. */
export function NewPasswordForm({ token, onChosen, onLeave }: NewPasswordFormProps) {
  const link = useQuery({
    queryKey: ["password-link", token],
    queryFn: ({ signal }) => call(readPasswordLink, { body: { token }, signal }),
    refetchOnWindowFocus: false,
  });
  if (link.isPending) {
    return (
      <LoadingState label="Conferindo o link">
        <div className={styles.form}>
          <Bone height={60} />
          <Bone height={60} />
          <Bone height={60} />
        </div>
      </LoadingState>
    );
  }
  if (link.isError) {
    const isOver = link.error instanceof CallError && link.error.errorCode === "password_link_invalid";
    return (
      <div className={styles.form}>
        <ErrorState
          title={isOver ? "Este link não vale mais" : "Não foi possível conferir o link"}
          message={errorSentence(link.error)}
          busy={link.isFetching}
          {...(!isOver && { onRetry: () => void link.refetch() })}
        />
        <Button onClick={onLeave}>Ir para a entrada</Button>
      </div>
    );
  }
  return <Fields token={token} email={link.data.email} onChosen={onChosen} />;
}

type Field = "newPassword" | "newPasswordConfirmation";

function Fields({ token, email, onChosen }: Omit<NewPasswordFormProps, "onLeave"> & { email: string }) {
  const [values, setValues] = useState({ newPassword: "", newPasswordConfirmation: "" });
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const found = problemsOfNewPassword(values.newPassword, values.newPasswordConfirmation);
  const problems: Partial<Record<Field, string>> = {
    ...(attempt > 0 && found),
    ...(refusal && { newPassword: refusal }),
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setRefusal(undefined);
    setAttempt(attempt + 1);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      onChosen((await call(spendPasswordLink, { body: { token, newPassword: values.newPassword } })).email);
    } catch (error) {
      setRefusal(errorSentence(error, "Não foi possível criar a senha."));
      setAttempt((before) => before + 1);
    } finally {
      setBusy(false);
    }
  }
  const field = (name: Field) => ({
    id: name,
    name,
    autoComplete: "new-password",
    maxLength: 255,
    value: values[name],
    error: problems[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
      setRefusal(undefined);
    },
  });
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <ErrorSummary
        title="Não foi possível criar a senha"
        attempt={attempt}
        problems={Object.entries(problems).map(([fieldId, message]) => ({ fieldId, message }))}
      />
      {/* Read-only and named, so that password managers store the new password under it. */}
      <TextField id="email" name="email" label="E-mail" autoComplete="username" value={email} readOnly />
      <PasswordField {...field("newPassword")} label="Nova senha" autoFocus />
      <PasswordRules password={values.newPassword} />
      <PasswordField {...field("newPasswordConfirmation")} label="Confirme a nova senha" />
      <Button type="submit" look="primary" busy={busy}>
        Criar senha
      </Button>
    </form>
  );
}
