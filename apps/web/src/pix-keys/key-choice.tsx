import { pixKeyInFundingTextMax, pixKeysInFundingMax } from "@malote/domain/limits";
import { useState } from "react";
import { useSession } from "../shell/session.ts";
import { pixKeyTypeNames } from "../transfers/index.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import type { UsableKey } from "./api.ts";
import { KeyPicture } from "./key-picture.tsx";
import { cutKey, keyText } from "./key-text.ts";
import styles from "./pix-keys.module.css";
import { maySeeKeyPage } from "./who.ts";

/** SHL-016: toast after the code was copied. */
const copied = "Código copiado e pronto para uso!";

/** First keys to send balance to, with the code of the chosen one (SHL-013 to SHL-017). */
export function KeyChoice({ keys }: { keys: readonly UsableKey[] }) {
  const session = useSession();
  const shown = keys.slice(0, pixKeysInFundingMax);
  const [chosenId, setChosenId] = useState(shown[0]?.id);
  const chosen = shown.find(({ id }) => id === chosenId) ?? shown[0];
  if (!chosen)
    return (
      <p className="muted">
        Adicione uma chave Pix para operar seus recursos com mais eficiência!
        {maySeeKeyPage(session) ? null : " Quem adiciona é um administrador da sua empresa: peça a ele."}
      </p>
    );
  return (
    <div className={styles.pix}>
      <fieldset className={styles.keys}>
        <legend>Escolha a chave Pix que vai receber</legend>
        {shown.map((key) => (
          <div key={key.id} className={styles.choice}>
            <label>
              <input
                type="radio"
                name="funding-key"
                checked={key.id === chosen.id}
                onChange={() => setChosenId(key.id)}
              />
              <span className={styles.words}>
                <span className="cut num" title={keyText(key)}>
                  {cutKey(key, pixKeyInFundingTextMax)}
                </span>
                <span className="small faint">{pixKeyTypeNames[key.key_type]}</span>
              </span>
            </label>
            <CopyButton
              text={key.pix_qrcode_emv_payload ?? key.key}
              label={`Copiar o código Pix da chave ${keyText(key)}`}
              done={copied}
            />
          </div>
        ))}
        <span className="small muted">Copie o código e cole em “Pix copia e cola” no seu banco.</span>
      </fieldset>
      <div className={styles.qr}>
        <KeyPicture of={chosen} />
        <span className="small muted">Ou leia com o aplicativo do seu banco</span>
      </div>
    </div>
  );
}
