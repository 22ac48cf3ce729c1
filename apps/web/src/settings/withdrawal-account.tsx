import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { type WithdrawalAccount as Saved, withdrawalAccountQuery } from "../first-steps/index.ts";
import { useWithdrawalAccountLines } from "../first-steps/parts.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import styles from "./settings.module.css";
import { Section } from "./settings-frame.tsx";

const WithdrawalAccountDialog = lazyPart(() => import("./withdrawal-account-dialog.tsx"));

/** SET-008: withdrawal account in the settings. */
export function WithdrawalAccount() {
  return (
    <Section
      id="saque"
      title="Conta para saque"
      help="Para onde o saldo vai quando alguém da empresa pede um resgate."
    >
      <Card />
    </Section>
  );
}

function Card() {
  const [isOpen, setIsOpen] = useState(false);
  const account = useQuery(withdrawalAccountQuery);
  if (account.isPending) {
    return (
      <LoadingState label="Carregando a conta para saque">
        <Bone height={140} />
      </LoadingState>
    );
  }
  // Null is an answer: the company has none.
  if (account.data === undefined) {
    return <FailedQuery title="Não foi possível carregar a conta para saque" query={account} />;
  }
  return (
    <div className={`panel ${styles.withdrawal}`}>
      {account.data ? (
        <Lines account={account.data} />
      ) : (
        <p className={`muted ${styles.lines}`}>
          Sua empresa ainda não tem uma conta para saque. Sem ela, ninguém consegue resgatar o saldo.
        </p>
      )}
      <div className={styles.end}>
        <Button onClick={() => setIsOpen(true)}>{account.data ? "Alterar conta" : "Cadastrar conta"}</Button>
      </div>
      <Suspense>
        {isOpen ? <WithdrawalAccountDialog saved={account.data} onClose={() => setIsOpen(false)} /> : null}
      </Suspense>
    </div>
  );
}

function Lines({ account }: { account: Saved }) {
  return (
    <dl className={styles.lines}>
      {useWithdrawalAccountLines(account).map(([label, text]) => (
        <div key={label} className={styles.line}>
          <dt className="small faint">{label}</dt>
          <dd className="num">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
