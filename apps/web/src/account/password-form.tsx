import { createCredential, createValidationCredential } from "@malote/contracts/developer";
import { type FormEvent, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { may, readSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { PasswordRules } from "../ui/password-rules.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./account.module.css";
import { useChangePassword } from "./api.ts";
import { checkPasswords, type PasswordField as Field, type PasswordValues } from "./password-rules.ts";

const empty: PasswordValues = { oldPassword: "", newPassword: "", newPasswordConfirmation: "" };

export function PasswordForm({ isMain }: { isMain: boolean }) {
  const [values, setValues] = useState(empty);
  const [attempt, setAttempt] = useState(0);
  const [endsCredentials, setEndsCredentials] = useState(false);
  const [refusal, setRefusal] = useState<{ field: Field; text: string }>();
  const change = useChangePassword();
  const session = readSession();
  const mayHaveCredentials = may(createCredential, session) || may(createValidationCredential, session);
  useUnsavedWork(Object.values(values).some(Boolean));
  const problems = {
    ...(attempt > 0 && checkPasswords(values)),
    ...(refusal && { [refusal.field]: refusal.text }),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    setRefusal(undefined);
    setAttempt(attempt + 1);
    if (Object.keys(checkPasswords(values)).length > 0) return;
    const { oldPassword, newPassword } = values;
    change.mutate(
      { oldPassword, newPassword, ...(endsCredentials && { endCredentials: true }) },
      {
        onSuccess: () => {
          setValues(empty);
          setEndsCredentials(false);
          setAttempt(0);
          toast.good("Senha alterada com sucesso!");
        },
        onError: (error) => {
          const isAboutOld = error instanceof CallError && error.errorCode === "password_wrong";
          const text = errorSentence(error, "Não foi possível trocar a senha.");
          if (text) setRefusal({ field: isAboutOld ? "oldPassword" : "newPassword", text });
          setAttempt((before) => before + 1);
        },
      },
    );
  }
  const field = (name: Field) => ({
    id: `senha-${name}`,
    name,
    value: values[name],
    error: problems[name],
    maxLength: 255,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
      setRefusal(undefined);
    },
  });
  return (
    <form className={styles.password} onSubmit={submit} noValidate>
      <ErrorSummary
        attempt={attempt}
        problems={Object.entries(problems).map(([name, message]) => ({ fieldId: `senha-${name}`, message }))}
      />
      {/* Password managers store the new password under this account name. */}
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={readSession()?.email ?? ""}
        readOnly
      />
      <PasswordField {...field("oldPassword")} label="Senha atual" autoComplete="current-password" />
      <PasswordField {...field("newPassword")} label="Nova senha" autoComplete="new-password" />
      <PasswordRules password={values.newPassword} />
      <PasswordField
        {...field("newPasswordConfirmation")}
        label="Confirme a nova senha"
        autoComplete="new-password"
      />
      {mayHaveCredentials ? (
        <div className={styles.tick}>
          <Checkbox
            label="Encerrar também minhas credenciais de API"
            checked={endsCredentials}
            onChange={setEndsCredentials}
          />
          <span>
            Encerrar também minhas credenciais de API
            <span className="small muted" style={{ display: "block" }}>
              Marque se alguém pode ter usado sua conta: o que usa essas credenciais deixa de ter acesso.
            </span>
          </span>
        </div>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" look={isMain ? "primary" : "default"} busy={change.isPending}>
          Trocar senha
        </Button>
      </div>
    </form>
  );
}
