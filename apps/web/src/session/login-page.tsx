import { Suspense, useEffect, useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { type LeaveReason, safeReturnPath } from "../shell/return-address.ts";
import { isExpired, readSession, readToken } from "../shell/session.ts";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { BrandMark } from "../ui/brand-mark.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./login-page.module.css";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

const ForgotPasswordForm = lazyPart(() => import("./forgot-password-form.tsx"));

interface LoginPageProps {
  /** Opens the application with the token; replaced in tests. */
  goTo?: (address: string) => void;
}

/** Reason why a person who wanted another page has to sign in. */
const reasons: Readonly<Record<LeaveReason, string>> = {
  entrar: "Entre para abrir a página que você pediu: ela abre em seguida.",
  inatividade: "Sua sessão terminou por inatividade. Entre de novo para voltar à página em que você estava.",
  fim: "Sua sessão terminou. Entre de novo para voltar à página em que você estava.",
};

function readReason(): LeaveReason | undefined {
  const given = new URLSearchParams(location.search).get("motivo");
  return given !== null && Object.hasOwn(reasons, given) ? (given as LeaveReason) : undefined;
}

/** The token follows the # of the e-mail's link, which browsers send to no server. */
const readLinkToken = (): string | undefined =>
  new URLSearchParams(location.hash.slice(1)).get("senha") ?? undefined;

/** The login site: it holds no session of its own, and passes the token to the application's `/auth`. */
export function LoginPage({ goTo = (address) => location.replace(address) }: LoginPageProps) {
  const brand = useBrand();
  const [leaving, setLeaving] = useState(false);
  const [linkToken, setLinkToken] = useState(readLinkToken);
  const [chosenBy, setChosenBy] = useState<string>();
  const [isPasswordForgotten, setIsPasswordForgotten] = useState(false);
  const [reason] = useState(readReason);
  const title = linkToken ? "Crie sua senha" : "Entrar";
  useDocumentTitle(title);
  useEffect(() => {
    // The link may be opened in a tab that already shows this page.
    const read = () => setLinkToken(readLinkToken());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);

  // A person who is already signed in on the application's own origin goes on; a link still lets them choose
  // a password.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page was opened
  useEffect(() => {
    const session = readSession();
    const token = readToken();
    if (token && session && !isExpired(session) && !linkToken && brand.appUrl === "/") onSignedIn(token);
  }, []);

  function leaveLink(email?: string) {
    // A used or expired link need not stay in the history.
    history.replaceState(null, "", `${location.pathname}${location.search}`);
    setLinkToken(undefined);
    setChosenBy(email);
  }

  function onSignedIn(token: string) {
    setLeaving(true);
    const app = brand.appUrl.replace(/\/$/, "");
    const asked = new URLSearchParams(location.search);
    const modal = asked.get("modalToken");
    const back = safeReturnPath(asked.get("redirectedFrom"));
    const query = new URLSearchParams({
      token,
      ...(modal && { modalToken: modal }),
      ...(back && { redirectedFrom: back }),
    });
    goTo(`${app}/auth?${query}`);
  }
  return (
    <div className={styles.page}>
      <main className={styles.side}>
        <div className={styles.card}>
          <BrandMark brandId={brand.id} name={brand.name} />
          <div>
            <h1>{linkToken ? title : isPasswordForgotten ? "Esqueci a senha" : "Entre na sua conta"}</h1>
            <p className="muted">
              {linkToken
                ? "Você vai usá-la com o seu e-mail para entrar."
                : isPasswordForgotten
                  ? null
                  : "Use o e-mail e a senha da sua empresa."}
            </p>
          </div>
          {reason && !linkToken && !chosenBy && !leaving ? (
            <Notice tone="yellow">{reasons[reason]}</Notice>
          ) : null}
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
          ) : isPasswordForgotten ? (
            <Suspense>
              <ForgotPasswordForm onBack={() => setIsPasswordForgotten(false)} />
            </Suspense>
          ) : (
            <SignInForm onSignedIn={onSignedIn} {...(chosenBy && { initialEmail: chosenBy })} />
          )}
        </div>
        <p className="small faint">
          {linkToken || isPasswordForgotten || leaving ? null : (
            <Button
              look="quiet"
              size="sm"
              // Aligns the button's text, not its box, with the fields.
              style={{ marginInlineStart: -11 }}
              onClick={() => setIsPasswordForgotten(true)}
            >
              Esqueci a senha
            </Button>
          )}
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
