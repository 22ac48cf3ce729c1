import { forgotPassword } from "@malote/contracts/session";
import { type FormEvent, useState } from "react";
import { call, errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Notice } from "../ui/notice.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./sign-in-form.module.css";

/** The answer is the same for a known and an unknown address. */
export default function ForgotPasswordForm({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const [problem, setProblem] = useState<{ text: string; attempt: number }>();
  const refuse = (text: string) => setProblem((before) => ({ text, attempt: (before?.attempt ?? 0) + 1 }));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!email.trim()) return refuse("Digite o e-mail.");
    setBusy(true);
    try {
      await call(forgotPassword, { body: { email: email.trim() } });
      setIsSent(true);
    } catch (error) {
      refuse(errorSentence(error, "Não foi possível pedir o link. Tente de novo.") ?? "");
    } finally {
      setBusy(false);
    }
  }
  if (isSent) {
    return (
      <div className={styles.form}>
        <Notice tone="green" title="Confira seu e-mail" alert>
          Se {email.trim()} tem acesso, o link para criar uma nova senha chega em instantes. Ele vale por 1
          hora e uma única vez.
        </Notice>
        <Button onClick={onBack}>Voltar para a entrada</Button>
      </div>
    );
  }
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <p className="muted">Enviamos um link para criar outra senha ao e-mail com que você entra.</p>
      <ErrorSummary
        title="Não foi possível pedir o link"
        attempt={problem?.attempt ?? 0}
        problems={problem ? [{ fieldId: "email", message: problem.text }] : []}
      />
      <TextField
        id="email"
        name="email"
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" look="primary" busy={busy}>
        Enviar link
      </Button>
      <Button look="quiet" onClick={onBack} disabled={busy}>
        Voltar
      </Button>
    </form>
  );
}
