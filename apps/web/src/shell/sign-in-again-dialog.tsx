import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { readSession, storeToken } from "./session.ts";
import { isSamePerson, leaveToLogin } from "./session-keeper.ts";
import { answerSignInAgain, signInAgainStore } from "./sign-in-again-store.ts";

const SignInForm = lazy(async () => ({ default: (await import("../session/sign-in-form.tsx")).SignInForm }));

/** The session ended while something was being typed: sign in over the page, then the refused call goes again. */
export function SignInAgainDialog() {
  const asked = useSyncExternalStore(signInAgainStore.subscribe, signInAgainStore.isAsked);
  const [otherPerson, setOtherPerson] = useState(false);
  if (!asked) return null;

  function onSignedIn(token: string) {
    if (!isSamePerson(token)) {
      setOtherPerson(true);
      return;
    }
    storeToken(token);
    answerSignInAgain(true);
  }
  return (
    <Dialog opened onClose={() => undefined} mustAnswer title="Sua sessão expirou">
      <p className="muted">
        Entre novamente para continuar de onde parou. Nada do que você digitou foi perdido.
      </p>
      {otherPerson ? (
        <Notice tone="red" alert>
          Entre com o mesmo usuário que estava usando esta página.
        </Notice>
      ) : null}
      <Suspense>
        <SignInForm
          initialEmail={readSession()?.email ?? ""}
          onSignedIn={onSignedIn}
          submitLabel="Entrar e continuar"
        />
      </Suspense>
      <Button
        look="quiet"
        onClick={() => {
          answerSignInAgain(false);
          void leaveToLogin();
        }}
      >
        Sair sem salvar
      </Button>
    </Dialog>
  );
}
