import { buttonClass } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import type { SimulatorState } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const profileNames: Readonly<Record<string, string>> = {
  admin: "Administrador",
  operator: "Operador",
  analyst: "Analista",
};

export function UsersPanel({ users }: { users: SimulatorState["users"] }) {
  const companies = [...new Set(users.map((user) => user.company))];
  return (
    <Panel
      id="usuarios"
      title="Usuários de demonstração"
      help="Contas inventadas: a senha pode ficar à vista."
      end={
        <a href="/entrar" className={buttonClass({ size: "sm" })}>
          Entrar
        </a>
      }
    >
      {companies.map((company) => (
        <div key={company} className={styles.group}>
          <h3>{company}</h3>
          <ul className={styles.users}>
            {users
              .filter((user) => user.company === company)
              .map((user) => (
                <li key={user.email}>
                  <span className="small muted">{profileNames[user.profile] ?? user.profile}</span>
                  <span className={styles.copyable}>
                    <span>{user.email}</span>
                    <CopyButton text={user.email} label={`Copiar e-mail ${user.email}`} />
                  </span>
                  <span className={styles.copyable}>
                    <code>{user.password}</code>
                    <CopyButton text={user.password} label={`Copiar senha de ${user.email}`} />
                  </span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </Panel>
  );
}
