import { saveCompanyBankAccount } from "@malote/contracts/company";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type SyntheticEvent, useId, useState } from "react";
import { type WithdrawalAccount, withdrawalAccountQuery } from "../first-steps/index.ts";
import { useWithdrawalAccountLines } from "../first-steps/parts.ts";
import { balanceQuery } from "../shell/balance.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { LostNotice } from "../shell/lost-notice.tsx";
import { useLostRequest } from "../shell/lost-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { bankQuery, paymentMethodQuery } from "../transfers/api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyInput } from "../ui/money-input.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { useWithdraw } from "./api.ts";
import styles from "./statement-page.module.css";

/** STM-026: shows the balance and the account, and asks how much to withdraw. */
export default function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const balance = useQuery(balanceQuery);
  const account = useQuery(withdrawalAccountQuery);
  const withdraw = useWithdraw();
  const withdrawing = useOneAtATime();
  const { lost, idempotencyKey, ...request } = useLostRequest<number>("resgate");
  const [typed, setTyped] = useState<number | null>(null);
  const [wasSent, setWasSent] = useState(false);
  const value = lost ?? typed;
  // A lost withdrawal may have left the balance already, so its amount is not checked: the server answers
  // under the same key.
  const problem = problemOf(value, lost === undefined ? balance.data?.value : undefined);
  const canSend = Boolean(account.data);

  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    setWasSent(true);
    if (!value || problem || !canSend || !withdrawing.begin()) return;
    request.sending(value);
    withdraw.mutate(
      { value, idempotencyKey },
      {
        onSuccess: () => {
          request.answered();
          onClose();
        },
        onError: (error) => request.failed(error, value),
        onSettled: withdrawing.end,
      },
    );
  }

  return (
    <Dialog
      opened
      title="Resgatar saldo"
      onClose={() => (withdraw.isPending ? undefined : onClose())}
      actions={
        <>
          <Button onClick={onClose} disabled={withdraw.isPending}>
            Cancelar
          </Button>
          {canSend ? (
            <Button
              look="primary"
              type="submit"
              form={formId}
              busy={withdraw.isPending}
              data-autofocus={lost === undefined ? undefined : true}
            >
              Confirmar
            </Button>
          ) : null}
        </>
      }
    >
      {lost === undefined ? null : (
        <LostNotice
          title={`O resgate de ${formatMoney(lost)} pode já ter sido feito`}
          onDiscard={request.discard}
        />
      )}
      <div className={styles.toWithdraw}>
        <div className={styles.received}>
          <span className="small faint">Saldo disponível</span>
          {balance.data ? (
            <MoneyText cents={balance.data.value} className={styles.value ?? ""} />
          ) : (
            <Bone width={140} height={28} />
          )}
        </div>
        {canSend && lost === undefined && balance.data && balance.data.value > 0 ? (
          <Button onClick={() => setTyped(balance.data.value)}>Resgatar tudo</Button>
        ) : null}
      </div>
      {account.data === null || account.isError ? null : (
        <form id={formId} noValidate onSubmit={onSubmit}>
          <MoneyInput
            label="Quanto você quer resgatar?"
            data-autofocus={lost === undefined || undefined}
            value={value}
            onChange={setTyped}
            disabled={lost !== undefined}
            error={wasSent ? problem : undefined}
          />
        </form>
      )}
      <Destination account={account} />
    </Dialog>
  );
}

/** STM-028. While the balance is unknown, only the server decides. */
function problemOf(value: number | null, available: number | undefined): string | undefined {
  if (!value) return "Digite um valor";
  return available !== undefined && value > available ? "Saldo insuficiente" : undefined;
}

/** Destination, method, and advice while there is no destination. */
function Destination({ account }: { account: UseQueryResult<WithdrawalAccount | null> }) {
  const session = useSession();
  if (account.isPending) {
    return (
      <LoadingState label="Carregando a conta para saque">
        <Bone height={160} />
      </LoadingState>
    );
  }
  if (account.isError) {
    return <FailedQuery title="Não foi possível carregar a conta para saque" query={account} />;
  }
  if (account.data === null) {
    return (
      <Notice tone="yellow" title="Sua empresa ainda não tem uma conta para saque">
        {may(saveCompanyBankAccount, session) ? (
          <>
            Cadastre-a em <Link to={pathOf("PaymentsBankAccountsPage")}>Configurações, Dados bancários</Link>.
            Se ela já foi enviada para aprovação, o resgate fica disponível assim que outra pessoa aprovar.
          </>
        ) : (
          "Peça a um administrador que a cadastre em Configurações, Dados bancários."
        )}
      </Notice>
    );
  }
  return (
    <>
      <AccountLines account={account.data} />
      <Way bankId={account.data.bank_id} />
    </>
  );
}

function Way({ bankId }: { bankId: string }) {
  const bank = useQuery(bankQuery(bankId));
  const method = useQuery(paymentMethodQuery(bank.data?.code));
  if (method.data !== "TED") return null;
  return (
    <p className="small muted">
      O resgate é feito por TED: até as 16h30 de um dia útil, no mesmo dia; depois disso, no próximo dia útil.
    </p>
  );
}

function AccountLines({ account }: { account: WithdrawalAccount }) {
  return (
    <section aria-label="Conta para saque" className={styles.destination}>
      <h3 className="small faint">Conta para saque</h3>
      <dl className={styles.lines}>
        {useWithdrawalAccountLines(account).map(([label, text]) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
