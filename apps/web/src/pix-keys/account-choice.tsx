import type { listPaymentAccounts } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { accountTypeNames } from "@malote/domain/bank-account";
import { takesBalance } from "@malote/domain/banks";
import { accountInFundingTextMax } from "@malote/domain/limits";
import { formatTaxId } from "@malote/domain/tax-id";
import { type ReactNode, useState } from "react";
import { BankMark } from "../ui/bank-mark.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { cutText, withDigit } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import styles from "./pix-keys.module.css";

type Account = ResponseOf<typeof listPaymentAccounts>["data"][number];

/** SHL-020 to SHL-023. Keys have their own choice, so their accounts are left out. */
export function AccountChoice({ of }: { of: readonly Account[] }) {
  const accounts = of.filter(({ isPix, Bank }) => !isPix && takesBalance(Bank));
  const [chosenId, setChosenId] = useState(accounts[0]?.id ?? null);
  const chosen = accounts.find(({ id }) => id === chosenId) ?? accounts[0];
  if (!chosen) return <p className="muted">Nenhuma conta disponível para envio. Fale com o suporte.</p>;
  const type = accountTypeNames[chosen.account_type as keyof typeof accountTypeNames] ?? "Conta";
  const account = withDigit(chosen.account, chosen.account_digit);
  return (
    <div className={styles.account}>
      <Select
        label="Para qual conta você deseja enviar o saldo?"
        required
        leftSection={<BankMark bank={chosen.Bank} size={24} />}
        data={accounts.map((one) => ({
          value: one.id,
          label: cutText(
            `${one.Bank.code ?? ""} ${one.Bank.name} · Ag. ${one.agency} · Conta ${withDigit(one.account, one.account_digit)}`.trim(),
            accountInFundingTextMax,
          ),
        }))}
        value={chosen.id}
        onChange={setChosenId}
      />
      <dl className={styles.lines}>
        <Line
          label="Banco"
          mark={<BankMark bank={chosen.Bank} size={48} />}
          text={[chosen.Bank.code, chosen.Bank.name].filter(Boolean).join(" · ")}
        />
        <Line label="Tipo de conta" text={type} />
        <Line label="Agência" text={chosen.agency} copies />
        <Line label="Conta" text={account} copies />
        <Line label="Nome" text={chosen.name} copies />
        <Line label="CNPJ" text={formatTaxId(chosen.cpfCnpj)} copies />
      </dl>
    </div>
  );
}

interface LineProps {
  label: string;
  text: string;
  mark?: ReactNode;
  copies?: boolean;
}

function Line({ label, text, mark, copies = false }: LineProps) {
  return (
    <div className={styles.line}>
      {mark}
      <div style={{ minWidth: 0, flex: 1 }}>
        <dt className="small faint">{label}</dt>
        <dd className="num" style={{ whiteSpace: "normal" }}>
          {text}
        </dd>
      </div>
      {copies ? <CopyButton text={text} label={`Copiar ${label}`} /> : null}
    </div>
  );
}
