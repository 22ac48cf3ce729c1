import { useEffect, useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { BrandMark } from "../ui/brand-mark.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./login-page.module.css";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

interface LoginPageProps {
  /** Leaves for the application with the token; replaced in tests. */
  goTo?: (address: string) => void;
}

/** Behind the # of the letter's link, where no server is told of it. */
const readLinkToken = (): string | undefined =>
  new URLSearchParams(location.hash.slice(1)).get("senha") ?? undefined;

/** The login site: it knows nobody until the server does, and hands the token to the application's `/auth`. */
export function LoginPage({ goTo = (address) => location.replace(address) }: LoginPageProps) {
  const brand = useBrand();
  const [leaving, setLeaving] = useState(false);
  const [linkToken, setLinkToken] = useState(readLinkToken);
  const [chosenBy, setChosenBy] = useState<string>();
  const title = linkToken ? "Crie sua senha" : "Entrar";
  useEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title, brand.name]);
  useEffect(() => {
    // The letter may be opened where this page already is.
    const read = () => setLinkToken(readLinkToken());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);

  function leaveLink(email?: string) {
    // Used or over, the link need not stand in the history.
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    setLinkToken(undefined);
    setChosenBy(email);
  }

  function onSignedIn(token: string) {
    setLeaving(true);
    const app = brand.appUrl.replace(/\/$/, "");
    const modal = new URLSearchParams(location.search).get("modalToken");
    const query = new URLSearchParams({ token, ...(modal && { modalToken: modal }) });
    goTo(`${app}/auth?${query}`);
  }
  return (
    <div className={styles.page}>
      <main className={styles.side}>
        <div className={styles.card}>
          <BrandMark brandId={brand.id} name={brand.name} />
          <div>
            <h1>{linkToken ? title : "Entre na sua conta"}</h1>
            <p className="muted">
              {linkToken
                ? "Você vai usá-la com o seu e-mail para entrar."
                : "Use o e-mail e a senha da sua empresa."}
            </p>
          </div>
          {chosenBy && !leaving ? (
            <Notice tone="green" title="Senha criada" alert>
              Agora entre com ela.
            </Notice>
          ) : null}
          {leaving ? (
            <p role="status">Abrindo {brand.name}…</p>
          ) : linkToken ? (
            <NewPasswordForm
              key={linkToken}
              token={linkToken}
              onChosen={leaveLink}
              onLeave={() => leaveLink()}
            />
          ) : (
            <SignInForm onSignedIn={onSignedIn} {...(chosenBy && { initialEmail: chosenBy })} />
          )}
        </div>
        <p className="small faint">
          Esqueceu a senha? Peça ao administrador da sua empresa um link para criar outra.
        </p>
      </main>
      <aside className={styles.picture} aria-hidden="true">
        <Picture />
        <p className={styles.promise}>
          Toda a folha, todos os fornecedores.
          <br />
          Um lote, um clique, contas que fecham.
        </p>
      </aside>
    </div>
  );
}

function Picture() {
  return (
    <svg viewBox="0 0 360 260" className={styles.drawing} aria-hidden="true">
      <g className={styles.back}>
        <rect x="84" y="28" width="216" height="120" rx="14" />
        <rect x="64" y="56" width="216" height="120" rx="14" />
      </g>
      <rect x="44" y="84" width="232" height="132" rx="14" className={styles.front} />
      <path d="M44 120h232M132 84V66h56v18" className={styles.line} />
      <path d="M68 144h72M68 162h108M68 180h52" className={styles.soft} />
      <path d="M218 144h34M206 162h46M226 180h26" className={styles.soft} />
      <circle cx="276" cy="204" r="30" className={styles.seal} />
      <path d="M263 205l9 9 17-19" className={styles.check} />
    </svg>
  );
}
