import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { saveFile } from "../ui/save-file.ts";
import styles from "./account.module.css";

/** Shown once: the server stores only hashes of the codes. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join("\n");
  return (
    <Dialog
      opened
      mustAnswer
      onClose={onClose}
      title="Seus códigos de recuperação"
      actions={
        <>
          <Button
            onClick={() =>
              saveFile(new Blob([`${text}\n`], { type: "text/plain" }), "codigos-de-recuperacao.txt")
            }
          >
            Baixar
          </Button>
          <Button look="primary" data-autofocus onClick={onClose}>
            Já guardei
          </Button>
        </>
      }
    >
      <p>
        Sem o celular, um destes códigos entra no lugar do código do aplicativo. Cada um vale uma única vez.
        Guarde-os fora do celular: eles não aparecem de novo.
      </p>
      <div className={styles.qr}>
        <ul className={styles.codes} aria-label="Códigos de recuperação">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <CopyButton text={text} label="Copiar os códigos" />
      </div>
    </Dialog>
  );
}
