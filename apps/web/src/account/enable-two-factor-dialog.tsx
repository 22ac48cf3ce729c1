import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./account.module.css";
import { twoFactorSecretQuery } from "./api.ts";
import { CodeForm } from "./code-form.tsx";

const QrCode = lazyPart(() => import("../shell/qr-code.tsx"));

interface EnableProps {
  onClose: (done: boolean, recoveryCodes?: readonly string[]) => void;
}

/** FST-010: a QR code and a code field. */
export default function EnableTwoFactorDialog({ onClose }: EnableProps) {
  const secret = useQuery(twoFactorSecretQuery);
  return (
    <Dialog opened onClose={() => onClose(false)} title="Ativar autenticação em 2 fatores">
      {secret.isError ? (
        <FailedQuery title="Não foi possível gerar o código" query={secret} />
      ) : (
        <CodeForm action="enable" submitLabel="Ativar autenticação" onClose={onClose}>
          <ol className={styles.steps}>
            <li>
              Abra um aplicativo autenticador no celular, como Google Authenticator ou Microsoft
              Authenticator.
            </li>
            <li>Leia o QR Code abaixo ou digite a chave à mão.</li>
            <li>Digite o código de 6 números que o aplicativo mostrar.</li>
          </ol>
          <div className={styles.qr}>
            <div className={styles.qrFrame}>
              <Suspense>
                {secret.data ? (
                  <QrCode
                    value={secret.data.qrcode}
                    size={176}
                    title="QR Code para o aplicativo autenticador"
                  />
                ) : null}
              </Suspense>
            </div>
            <div className={styles.secret}>
              <span className="small faint">Chave para digitar à mão</span>
              <div className={styles.secretLine}>
                <code>{secret.data?.secret.replace(/(.{4})(?=.)/g, "$1 ") ?? "…"}</code>
                {secret.data ? <CopyButton text={secret.data.secret} label="Copiar chave" /> : null}
              </div>
            </div>
          </div>
        </CodeForm>
      )}
    </Dialog>
  );
}
