import type { Receiver } from "@malote/contracts/receivers";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { accountNumber, accountTypeName, pixKeyTypeNames } from "../transfers/index.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { LastPayment } from "./last-payment.tsx";
import styles from "./receiver-modal.module.css";
import { failureOf, statusLooks } from "./receiver-status.ts";

/** RCV-010: key, name and document, or the account when there is no key. */
export function ReceiverView({ receiver }: { receiver: Receiver }) {
  const look = statusLooks[receiver.status];
  const failure = failureOf(receiver);
  return (
    <section className={`panel ${styles.section}`} aria-label="Dados do recebedor">
      <div>
        <StatusPill color={look.color} shape={look.shape}>
          {look.name}
        </StatusPill>
        {failure ? <p className="small muted">{failure}</p> : null}
        <LastPayment receiver={receiver} />
      </div>
      <dl className={styles.list}>
        {linesOf(receiver).map(({ label, text }) => (
          <div key={label} className={styles.line}>
            <dt className="muted">{label}</dt>
            <dd>{text}</dd>
            {/* A masked document has no copy button. */}
            <dd>{text.includes("*") ? null : <CopyButton text={text} label={`Copiar ${label}`} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function linesOf(to: Receiver): { label: string; text: string }[] {
  const person = [
    ["Nome", to.name],
    ["CPF/CNPJ", to.cpf_cnpj && formatTaxId(to.cpf_cnpj)],
  ];
  const key = [
    ["Tipo de chave", to.pix_key_type && pixKeyTypeNames[to.pix_key_type]],
    ["Chave Pix", to.pix_key && formatPixKey(to.pix_key_type ?? "", to.pix_key)],
  ];
  const account = [
    ["Banco", to.Bank && [to.Bank.code, to.Bank.name].filter(Boolean).join(" · ")],
    ["Agência", accountNumber(to.agency, to.agency_digit)],
    ["Conta", accountNumber(to.account, to.account_digit)],
    ["Tipo de conta", to.account && accountTypeName(to.account_type)],
  ];
  return [...(to.pix_key ? key : account), ...person].flatMap(([label, text]) =>
    label && text ? [{ label, text }] : [],
  );
}
