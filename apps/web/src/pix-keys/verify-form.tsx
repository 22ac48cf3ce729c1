import { deletePixKey, resendPixKeyCode, verifyPixKey } from "@malote/contracts/pix-keys";
import { type FormEvent, useEffect, useId, useState } from "react";
import { CallError } from "../shell/call.ts";
import { may, useSession } from "../shell/session.ts";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useResendCode, useVerifyKey } from "./api.ts";
import type { ViewProps } from "./claim-views.tsx";
import { cutKey, keyText, keyTextMax } from "./key-text.ts";
import styles from "./pix-keys.module.css";

/** PIX-032: wait when the server gives none. */
const restSeconds = 10;

/** Form of the verification code (PIX-027 to PIX-032). */
export function VerifyForm({ pixKey, failed, onClose, onDelete }: ViewProps) {
  const formId = useId();
  const session = useSession();
  const verify = useVerifyKey(pixKey.id);
  const [code, setCode] = useState("");
  const [wasSent, setWasSent] = useState(false);
  const mayVerify = may(verifyPixKey, session);
  const isEmpty = code.trim() === "";

  function submit(event: FormEvent) {
    event.preventDefault();
    setWasSent(true);
    if (!isEmpty) verify.mutate(code.trim());
  }
  return (
    <Dialog
      opened
      size="lg"
      title="Chave Pix"
      onClose={onClose}
      actions={
        <>
          {may(deletePixKey, session) ? (
            <Button look="danger" onClick={onDelete} style={{ marginRight: "auto" }}>
              Excluir chave
            </Button>
          ) : null}
          <Button onClick={onClose}>Voltar</Button>
          {mayVerify ? (
            <Button look="primary" type="submit" form={formId} busy={verify.isPending}>
              Finalizar
            </Button>
          ) : null}
        </>
      }
    >
      <form id={formId} className={styles.view} noValidate onSubmit={submit}>
        {failed}
        <TextField
          label={pixKeyTypeNames[pixKey.key_type]}
          readOnly
          value={cutKey(pixKey, keyTextMax.inWizard)}
          title={keyText(pixKey)}
        />
        {mayVerify ? (
          <TextField
            label="Código de verificação"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            description={
              pixKey.key_type === "EMAIL"
                ? "Enviamos o código para este e-mail. Ele vale por 30 minutos."
                : "Enviamos o código por SMS para este celular. Ele vale por 30 minutos."
            }
            error={wasSent && isEmpty ? "Campo obrigatório" : undefined}
          />
        ) : null}
        {may(resendPixKeyCode, session) ? <Resend id={pixKey.id} /> : null}
      </form>
    </Dialog>
  );
}

function Resend({ id }: { id: string }) {
  const resend = useResendCode(id);
  const [seconds, setSeconds] = useState(0);
  const isCounting = seconds > 0;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  function again() {
    resend.mutate(undefined, {
      onSuccess: ({ blockedTime }) => {
        setSeconds(blockedTime || restSeconds);
        toast.good("Enviamos um novo código.");
      },
      onError: (error) => {
        const waitSeconds = error instanceof CallError ? Number(error.data?.["seconds"]) : Number.NaN;
        if (waitSeconds > 0) setSeconds(waitSeconds);
      },
    });
  }
  return (
    <div>
      <button type="button" className={styles.link} disabled={isCounting || resend.isPending} onClick={again}>
        Reenviar código de verificação{isCounting ? ` (${seconds} s)` : ""}
      </button>
    </div>
  );
}
