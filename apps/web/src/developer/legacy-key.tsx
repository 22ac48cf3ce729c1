import { readCompanySettings } from "@malote/contracts/company";
import { useQuery } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { may, useSession } from "../shell/session.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import styles from "./developer.module.css";

/**
 * DEV-009, DEV-010: API keys that companies had before credentials. A company without one reads only that such keys
 * have ended.
 */
const migrated = "As chaves de API no formato antigo precisavam ser migradas até 26/02/2024.";

export function LegacyKey() {
  const session = useSession();
  const settings = useQuery({ ...companySettingsQuery, enabled: may(readCompanySettings, session) });
  const key = settings.data?.apiAccessToken;
  if (!key) return <p className="muted">{migrated}</p>;
  return (
    <section className={`panel ${styles.legacy}`} aria-labelledby="chave-antiga">
      <h2 id="chave-antiga">Chave de API antiga</h2>
      <p className="muted">{migrated} Gere uma credencial nova e troque-a nos seus sistemas.</p>
      <div className={styles.id}>
        <code>{key}</code>
        <CopyButton text={key} label="Copiar a chave de API antiga" />
      </div>
    </section>
  );
}
