import { type FormEvent, type ReactNode, useState } from "react";
import { CallError, errorSentence, generalText, wasLeft } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./account.module.css";
import { type TwoFactorAction, useSetTwoFactor } from "./api.ts";

/** FST-011: a code has exactly six digits. */
const wrongLengthText = "Código obrigatório e deve conter exatamente 6 números";

interface CodeFormProps {
  action: TwoFactorAction;
  submitLabel: string;
  /** Draws the button in red, for a destructive action. */
  danger?: boolean;
  /** `done` is true when the state has changed. */
  onClose: (done: boolean, recoveryCodes?: readonly string[]) => void;
  children?: ReactNode;
}

/**
 * Asks for the six digits, with what they confirm above them. A refused code empties the field and keeps the focus in
 * it.
 */
export function CodeForm({ action, submitLabel, danger = false, onClose, children }: CodeFormProps) {
  const [code, setCode] = useState("");
  const [isRecovery, setIsRecovery] = useState(false);
  const [problem, setProblem] = useState<string>();
  const change = useSetTwoFactor();

  function submit(event: FormEvent) {
    event.preventDefault();
    // This form lies in a dialog inside another form, which must not receive its submit event.
    event.stopPropagation();
    if (change.isPending) return;
    if (!(isRecovery ? /^[a-z2-7]{4}(-?[a-z2-7]{4}){3}$/i : /^\d{6}$/).test(code.trim())) {
      setProblem(
        isRecovery ? "Digite um dos seus códigos de recuperação, como abcd-efgh-2345-jklm" : wrongLengthText,
      );
      return;
    }
    setProblem(undefined);
    change.mutate(
      { action, code: code.trim() },
      {
        onSuccess: ({ recovery_codes }) => onClose(true, recovery_codes),
        onError: (error) => {
          // Another tab has made the change already, so the requested state is in place.
          const isDone = action === "enable" ? "second_factor_already_on" : "second_factor_already_off";
          if (error instanceof CallError && error.errorCode === isDone) {
            onClose(true);
            return;
          }
          if (wasLeft(error)) return;
          setCode("");
          setProblem(errorSentence(error, generalText));
        },
      },
    );
  }
  return (
    <form className={styles.code} onSubmit={submit} noValidate>
      {children}
      <TextField
        label={isRecovery ? "Código de recuperação" : "Código de 6 números"}
        description={
          isRecovery
            ? "Um dos dez que você guardou."
            : "O código que aparece agora no aplicativo autenticador."
        }
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        data-autofocus
        className={isRecovery ? "" : (styles.digits ?? "")}
        value={code}
        error={problem}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          setCode(isRecovery ? typed.slice(0, 24) : typed.replace(/\D/g, "").slice(0, 6));
          setProblem(undefined);
        }}
      />
      {action === "disable" ? (
        <Button
          look="quiet"
          size="sm"
          onClick={() => {
            setIsRecovery(!isRecovery);
            setCode("");
            setProblem(undefined);
          }}
        >
          {isRecovery ? "Usar o aplicativo autenticador" : "Sem o celular? Usar um código de recuperação"}
        </Button>
      ) : null}
      <div className={styles.actions}>
        <Button onClick={() => onClose(false)} disabled={change.isPending}>
          Cancelar
        </Button>
        <Button type="submit" look={danger ? "danger-primary" : "primary"} busy={change.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
