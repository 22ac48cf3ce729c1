import type { CreatedCredential } from "@malote/contracts/developer";
import { useBlocker } from "@tanstack/react-router";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./developer.module.css";

interface SecretDialogProps {
  credential: CreatedCredential;
  onClose: () => void;
}

/** DEV-006, DEV-007: the only view of the secret, so nothing but its button closes it. */
export function SecretDialog({ credential, onClose }: SecretDialogProps) {
  useUnsavedWork(true);
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: false });
  const values = [
    { name: "Identificador (client_id)", text: credential.client_id },
    { name: "Segredo (client_secret)", text: credential.client_secret },
  ];
  return (
    <Dialog
      opened
      mustAnswer
      onClose={onClose}
      title={`Nova credencial: ${credential.name}`}
      actions={
        <Button look="primary" onClick={onClose}>
          Já guardei o segredo
        </Button>
      }
    >
      <div className={styles.form}>
        <Notice tone="yellow" title="Copie o segredo agora">
          Ele não será mostrado de novo. Se você o perder, revogue esta credencial e gere outra.
        </Notice>
        <dl className={styles.values}>
          {values.map(({ name, text }) => (
            <div key={name}>
              <dt className="small muted">{name}</dt>
              <dd className={styles.id}>
                <code>{text}</code>
                <CopyButton text={text} label={`Copiar ${name}`} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
