import { useState } from "react";
import { SignInForm } from "../session/sign-in-form.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { readSession, storeToken } from "./session.ts";
import { inSameApplication, isSamePerson, leaveToLogin } from "./session-keeper.ts";
import { answerSignInAgain } from "./sign-in-again-store.ts";

/** Asks a person whose session ended while typing to sign in above the page; then the refused call is repeated. */
export default function SignInAgainDialog() {
  const [otherPerson, setOtherPerson] = useState(false);
  async function onSignedIn(token: string) {
    if (!isSamePerson(token)) {
      setOtherPerson(true);
      return;
    }
    storeToken(await inSameApplication(token));
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
      <SignInForm
        initialEmail={readSession()?.email ?? ""}
        onSignedIn={onSignedIn}
        submitLabel="Entrar e continuar"
      />
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
