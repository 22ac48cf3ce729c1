import { pixKeyTypeNames } from "../transfers/index.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import type { PixKey } from "./api.ts";
import { KeyPill } from "./key-pill.tsx";
import { cutKey, keyText, keyTextMax } from "./key-text.ts";
import styles from "./pix-keys.module.css";

/** Name of a key, and its status. */
export function KeyHead({ pixKey }: { pixKey: PixKey }) {
  return (
    <div className={styles.head}>
      <div className={styles.key}>
        <span className="small faint">{pixKeyTypeNames[pixKey.key_type]}</span>
        {pixKey.key === null ? (
          <strong>Aguardando o diretório do Pix</strong>
        ) : (
          <span className={styles.keyLine}>
            <strong className="num" title={keyText(pixKey)}>
              {cutKey(pixKey, keyTextMax.inWizard)}
            </strong>
            <CopyButton text={pixKey.key} label="Copiar chave Pix" />
          </span>
        )}
      </div>
      <KeyPill status={pixKey.status} />
    </div>
  );
}
