import { confirmIdentity } from "@malote/contracts/session";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { CallError, call, errorSentence, generalText } from "./call.ts";
import { identityQuestion } from "./question-store.ts";
import { readSession } from "./session.ts";

/**
 * Shown above the change: asks for the password, and the code of a person with a second factor. Then the call is
 * repeated.
 */
export default function ConfirmIdentityDialog() {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(readSession()?.two_factor.enabled ?? false);
  const [problem, setProblem] = useState<{ field: "password" | "code"; text: string }>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    // This form lies in a dialog inside another form, which must not receive its submit event.
    event.stopPropagation();
    if (busy) return;
    if (!password) return setProblem({ field: "password", text: "Digite sua senha." });
    if (needsCode && !code.trim()) return setProblem({ field: "code", text: "Digite o código." });
    setBusy(true);
    try {
      await call(confirmIdentity, { body: { password, ...(needsCode && { code: code.trim() }) } });
      identityQuestion.answer(true);
    } catch (error) {
      const errorCode = error instanceof CallError ? error.errorCode : undefined;
      if (errorCode === "second_factor_needed") setNeedsCode(true);
      const isAboutCode = errorCode?.startsWith("second_factor") === true || errorCode === "invalid_request";
      setProblem({ field: isAboutCode ? "code" : "password", text: errorSentence(error, generalText) ?? "" });
    } finally {
      setBusy(false);
    }
  }
  return (
    // The dialog stays open while the answer is pending, so that the change is not left half done.
    <Dialog
      opened
      onClose={() => (busy ? undefined : identityQuestion.answer(false))}
      title="Confirme que é você"
    >
      <form noValidate onSubmit={(event) => void submit(event)} style={{ display: "grid", gap: 16 }}>
        <p className="muted">
          Esta mudança mexe com a segurança da conta, por isso pedimos sua senha de novo.
        </p>
        <PasswordField
          id="confirmar-senha"
          label="Sua senha"
          autoComplete="current-password"
          maxLength={255}
          data-autofocus
          value={password}
          error={problem?.field === "password" ? problem.text : undefined}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        {needsCode ? (
          <TextField
            id="confirmar-codigo"
            label="Código do aplicativo autenticador"
            description="6 números, ou um código de recuperação."
            autoComplete="one-time-code"
            value={code}
            error={problem?.field === "code" ? problem.text : undefined}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        ) : null}
        <div style={{ display: "flex", gap: 8, justifyContent: "flex-end" }}>
          <Button onClick={() => identityQuestion.answer(false)} disabled={busy}>
            Cancelar
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            Confirmar
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
