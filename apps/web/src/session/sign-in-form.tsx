import { authorize, rememberedDays } from "@malote/contracts/session";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { CallError, call, errorSentence, generalText } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import styles from "./sign-in-form.module.css";

interface SignInFormProps {
  /** May go on with further calls, whose refusal the form shows. */
  onSignedIn: (token: string) => void | Promise<void>;
  initialEmail?: string;
  submitLabel?: string;
}

/**
 * E-mail and password, then the code of the second factor when the account has one. The browser is remembered only when
 * the person wishes so (decision 0058).
 */
export function SignInForm({ onSignedIn, initialEmail = "", submitLabel = "Entrar" }: SignInFormProps) {
  const [challenge, setChallenge] = useState<string>();
  return challenge ? (
    <CodeStep challenge={challenge} onSignedIn={onSignedIn} onBack={() => setChallenge(undefined)} />
  ) : (
    <PasswordStep
      initialEmail={initialEmail}
      submitLabel={submitLabel}
      onSignedIn={onSignedIn}
      onChallenge={setChallenge}
    />
  );
}

/** Focus moves to the message after each refusal, and the fields keep what was typed. */
function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ text: string; attempt: number }>();
  async function attempt(work: () => Promise<void>, onRefused?: (error: unknown) => void) {
    setBusy(true);
    try {
      await work();
      setProblem(undefined);
    } catch (error) {
      setProblem((before) => ({
        text: errorSentence(error, generalText) ?? "",
        attempt: (before?.attempt ?? 0) + 1,
      }));
      onRefused?.(error);
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, attempt, setProblem };
}

interface PasswordStepProps {
  initialEmail: string;
  submitLabel: string;
  onSignedIn: SignInFormProps["onSignedIn"];
  onChallenge: (challenge: string) => void;
}

function PasswordStep({ initialEmail, submitLabel, onSignedIn, onChallenge }: PasswordStepProps) {
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState("");
  const { busy, problem, attempt, setProblem } = useAttempt();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!email.trim() || !password) {
      const text = email.trim() ? "Digite a senha." : "Digite o e-mail.";
      setProblem((before) => ({ text, attempt: (before?.attempt ?? 0) + 1 }));
      return;
    }
    void attempt(async () => {
      const answer = await call(authorize, {
        body: { grant_type: "password", email: email.trim(), password },
      });
      if ("access_token" in answer) await onSignedIn(answer.access_token);
      else onChallenge(answer.second_factor.challenge);
    });
  }
  const fieldId = problem && !email.trim() ? "email" : "password";
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary
        title="Não foi possível entrar"
        attempt={problem?.attempt ?? 0}
        problems={problem ? [{ fieldId, message: problem.text }] : []}
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
        autoFocus={!initialEmail}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordField
        id="password"
        name="password"
        label="Senha"
        autoComplete="current-password"
        maxLength={255}
        autoFocus={Boolean(initialEmail)}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" look="primary" busy={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}

interface CodeStepProps {
  challenge: string;
  onSignedIn: SignInFormProps["onSignedIn"];
  onBack: () => void;
}

function CodeStep({ challenge, onSignedIn, onBack }: CodeStepProps) {
  const [code, setCode] = useState("");
  const [isRecovery, setIsRecovery] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { busy, problem, attempt, setProblem } = useAttempt();
  useEffect(() => field.current?.focus(), []);

  function send(digits: string) {
    if (busy) return;
    if (!(isRecovery ? /^[a-z2-7]{4}(-?[a-z2-7]{4}){3}$/i : /^\d{6}$/).test(digits)) {
      setProblem((before) => ({
        text: isRecovery
          ? "Digite um dos seus códigos de recuperação, como abcd-efgh-2345-jklm."
          : "Digite os 6 números do código.",
        attempt: (before?.attempt ?? 0) + 1,
      }));
      return;
    }
    void attempt(
      async () => {
        const answer = await call(authorize, {
          body: {
            grant_type: "second_factor",
            challenge,
            code: digits,
            ...(remembers && !isRecovery && { remember: true }),
          },
        });
        if ("access_token" in answer) await onSignedIn(answer.access_token);
      },
      (error) => {
        // A used challenge accepts no other answer, so the person starts over with e-mail and password.
        if (error instanceof CallError && error.errorCode === "second_factor_expired") onBack();
        setCode("");
      },
    );
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(code.trim());
      }}
    >
      <p className="muted">
        {isRecovery
          ? "Digite um dos códigos que você guardou ao ativar os 2 fatores. Cada um vale uma única vez."
          : "Abra seu aplicativo autenticador e digite o código que aparece para esta conta."}
      </p>
      <ErrorSummary
        title="Não foi possível entrar"
        attempt={problem?.attempt ?? 0}
        problems={problem ? [{ fieldId: "code", message: problem.text }] : []}
      />
      <TextField
        ref={field}
        id="code"
        name="code"
        label={isRecovery ? "Código de recuperação" : "Código de 6 números"}
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        className={isRecovery ? "" : (styles.code ?? "")}
        value={code}
        onChange={(event) => {
          if (isRecovery) {
            setCode(event.currentTarget.value.slice(0, 24));
            return;
          }
          const digits = event.currentTarget.value.replace(/\D/g, "").slice(0, 6);
          setCode(digits);
          if (digits.length === 6) send(digits);
        }}
      />
      {isRecovery ? null : (
        <label className={styles.remember}>
          <input
            type="checkbox"
            checked={remembers}
            onChange={(event) => setRemembers(event.currentTarget.checked)}
          />
          Não pedir o código neste aparelho por {rememberedDays} dias
        </label>
      )}
      <Button type="submit" look="primary" busy={busy}>
        Confirmar código
      </Button>
      <Button
        look="quiet"
        disabled={busy}
        onClick={() => {
          setIsRecovery(!isRecovery);
          setCode("");
          setProblem(undefined);
          field.current?.focus();
        }}
      >
        {isRecovery ? "Usar o aplicativo autenticador" : "Sem o celular? Usar um código de recuperação"}
      </Button>
      <Button look="quiet" onClick={onBack} disabled={busy}>
        Voltar
      </Button>
    </form>
  );
}
