import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { homePath } from "../shell/guards.ts";
import { useSession } from "../shell/session.ts";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./account.module.css";
import { AccountHeader } from "./account-header.tsx";
import { userSettingsQuery } from "./api.ts";
import { PasswordForm } from "./password-form.tsx";
import { TwoFactorState } from "./two-factor-state.tsx";

/** FST-020: the day comes with the build's environment, without a year as the requirement gives it. */
const twoFactorDeadline = import.meta.env["VITE_TWO_FACTOR_DEADLINE"] ?? "29/07";

export default function SecurityPage() {
  useDocumentTitle("Segurança");
  const navigate = useNavigate();
  const session = useSession();
  const settings = useQuery(userSettingsQuery);
  const isOn = settings.data?.hasTwoFactorEnabled ?? session?.two_factor.enabled ?? false;
  const isEnforced = settings.data?.isTwoFactorEnforced ?? session?.two_factor.enforced ?? false;

  return (
    <div className={styles.page}>
      <AccountHeader
        subtitle="Sua senha e a proteção extra de quem movimenta dinheiro."
        actions={
          // ACC-004
          isOn || isEnforced ? null : (
            <Button onClick={() => void navigate({ href: homePath(session) } as never)}>
              Ativar mais tarde
            </Button>
          )
        }
      />
      {!isOn && isEnforced ? (
        <Notice tone="red" alert>
          Para continuar navegando na plataforma, reative a Autenticação em 2 fatores.
        </Notice>
      ) : null}
      {!isOn && !isEnforced ? (
        <Notice tone="yellow">
          A autenticação em 2 fatores precisa estar ativada até {twoFactorDeadline}. Ative agora e evite
          perder o acesso.
        </Notice>
      ) : null}
      <section className={`panel ${styles.section}`} aria-labelledby="dois-fatores">
        <div className={styles.intro}>
          <h2 id="dois-fatores">Autenticação em 2 fatores</h2>
          <p className="muted">
            Além da senha, um código do seu celular. Mesmo que alguém descubra sua senha, não consegue entrar.
          </p>
        </div>
        <TwoFactorState activateLabel="Ativar autenticação" withDeactivation />
      </section>
      <section className={`panel ${styles.section}`} aria-labelledby="senha">
        <div className={styles.intro}>
          <h2 id="senha">Senha</h2>
          <p className="muted">
            Ao trocar a senha, os outros dispositivos em que você entrou são desconectados.
          </p>
        </div>
        {/* One primary button on the page: the second factor first. */}
        <PasswordForm isMain={isOn} />
      </section>
    </div>
  );
}
