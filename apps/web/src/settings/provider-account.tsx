import { accountTypeNames } from "@malote/domain/bank-account";
import { useQuery } from "@tanstack/react-query";
import { paymentAccountsQuery } from "../batches/api.ts";
import { useBrand } from "../shell/brand.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { BankMark } from "../ui/bank-mark.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { withDigit } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import styles from "./settings.module.css";
import { Section } from "./settings-frame.tsx";

/** SET-007: the company's own Pix account. */
export function ProviderAccount() {
  const { name } = useBrand();
  return (
    <Section
      id="conta"
      title={`Sua conta na ${name}`}
      help="Para quem envia por TED ou por Pix com dados bancários."
    >
      <Account />
    </Section>
  );
}

function Account() {
  const accounts = useQuery(paymentAccountsQuery);
  if (accounts.isPending) {
    return (
      <LoadingState label="Carregando a conta">
        <Bone height={92} />
      </LoadingState>
    );
  }
  if (accounts.isError) {
    return <FailedQuery title="Não foi possível carregar a conta" query={accounts} />;
  }
  const account = accounts.data.data.find(({ isProviderAccount, isPix }) => isProviderAccount && !isPix);
  if (!account) return <p className="muted">Nenhuma conta disponível. Fale com o suporte.</p>;
  const lines = [
    ["ISPB", account.Bank.ispb],
    ["Instituição", [account.Bank.code, account.Bank.name].filter(Boolean).join(" · ")],
    ["Agência", account.agency.padStart(4, "0")],
    ["Conta", withDigit(account.account, account.account_digit)],
    [
      "Tipo de conta",
      accountTypeNames[account.account_type as keyof typeof accountTypeNames] ?? account.account_type,
    ],
  ] as const;
  return (
    <dl className={`panel ${styles.lines}`}>
      {lines.map(([label, text]) => (
        <div key={label} className={styles.line}>
          <dt className="small faint">{label}</dt>
          <dd className="num">
            {label === "Instituição" ? <BankMark bank={account.Bank} size={48} /> : null}
            {text}
            {label === "Agência" || label === "Conta" ? (
              <CopyButton text={text} label={`Copiar ${label}`} />
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
