import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useBrand } from "../shell/brand.ts";
import { homePath } from "../shell/guards.ts";
import { safeReturnPath } from "../shell/return-address.ts";
import { useSession } from "../shell/session.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { systemNow } from "../ui/system-time.ts";
import styles from "./account.module.css";
import { AccountHeader } from "./account-header.tsx";
import { userSettingsQuery } from "./api.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { securitySearch } from "./search.ts";
import { TwoFactorState } from "./two-factor-state.tsx";

export default function SecurityPage() {
  const navigate = useNavigate();
  const session = useSession();
  const settings = useQuery(userSettingsQuery);
  const [{ redirectedFrom }] = usePageSearch(securitySearch);
  const wanted = safeReturnPath(redirectedFrom);
  // ACC-004: the home page, or the page that the person wanted before the redirect to this one (SES-029).
  const goOn = () => void navigate({ href: wanted ?? homePath(session) });
  const notice = twoFactorNotice(useBrand().twoFactorNotice, saoPauloDate(systemNow()));
  const isOn = settings.data?.hasTwoFactorEnabled ?? session?.two_factor.enabled ?? false;
  const isEnforced = settings.data?.isTwoFactorEnforced ?? session?.two_factor.enforced ?? false;

  return (
    <div className={styles.page}>
      <AccountHeader
        subtitle="Sua senha e a proteção extra de quem movimenta dinheiro."
        actions={
          isOn || isEnforced ? (
            isOn && wanted ? (
              <Button look="primary" onClick={goOn}>
                Continuar
              </Button>
            ) : null
          ) : (
            <Button onClick={goOn}>Ativar mais tarde</Button>
          )
        }
      />
      {!isOn && isEnforced ? (
        <Notice tone="red" alert>
          Para continuar navegando na plataforma, reative a Autenticação em 2 fatores.
        </Notice>
      ) : null}
      {!isOn && notice ? <Notice tone="yellow">{notice}</Notice> : null}
      <section className={`panel ${styles.section}`} aria-labelledby="dois-fatores">
        <div className={styles.intro}>
          <h2 id="dois-fatores">Autenticação em 2 fatores</h2>
          <p className="muted">
            Além da senha, um código do seu celular. Mesmo que alguém descubra sua senha, não consegue entrar.
          </p>
        </div>
        <TwoFactorState activateLabel="Ativar autenticação" withDeactivation />
      </section>
      {isOn ? (
        <section className={`panel ${styles.section}`} aria-labelledby="recuperacao">
          <div className={styles.intro}>
            <h2 id="recuperacao">Códigos de recuperação</h2>
            <p className="muted">
              Entram no lugar do código do aplicativo quando você está sem o celular. Ao gerar novos, os
              anteriores deixam de valer.
            </p>
          </div>
          <RecoveryCodes />
        </section>
      ) : null}
      <section className={`panel ${styles.section}`} aria-labelledby="senha">
        <div className={styles.intro}>
          <h2 id="senha">Senha</h2>
          <p className="muted">
            Ao trocar a senha, os outros dispositivos em que você entrou são desconectados.
          </p>
        </div>
        {/* The page has one primary button, and the second factor comes first. */}
        <PasswordForm isMain={isOn} />
      </section>
    </div>
  );
}

/** FST-020: `29/07` becomes the next 29 July, with its year, because a past day would be no warning. */
function twoFactorNotice(text: string | null, today: CalendarDate): string | null {
  if (text === null) return null;
  return text.replace(/\b(\d{2})\/(\d{2})\b(?!\/)/, (_, day: string, month: string) => {
    const year = Number(today.slice(0, 4));
    const isOver = `${month}-${day}` < today.slice(5);
    return `${day}/${month}/${isOver ? year + 1 : year}`;
  });
}
