import type { StatementEntry } from "@malote/contracts/statement";
import { accountTypeNames } from "@malote/domain/bank-account";
import { formatTaxId, isObfuscatedTaxId } from "@malote/domain/tax-id";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDate, formatDateTime, plainMoney } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { counterpartOf } from "./entry-looks.ts";
import styles from "./statement-page.module.css";

interface ReceivedPixDialogProps {
  entry: StatementEntry;
  onClose: () => void;
}

interface Line {
  label: string;
  text: string;
  /** Label of a copy button; left out when the text is never pasted. */
  copy?: string;
}

/** STM-014: one line for each field; fields that the payer's bank did not send are left out. */
function linesOf(entry: StatementEntry): Line[] {
  const other = counterpartOf(entry);
  const { timestamp, end_to_end_id: endToEndId, message } = entry.complement;
  const type = other?.account_type;
  const lines: (Line | null | "" | undefined)[] = [
    { label: "Data", text: timestamp ? formatDateTime(timestamp) : formatDate(entry.date) },
    other && { label: "Nome", text: other.name, copy: "Copiar nome" },
    other?.document && {
      label: "CPF ou CNPJ",
      text: formatTaxId(other.document),
      // A masked CPF is of no use anywhere else (ruling D15).
      ...(!isObfuscatedTaxId(other.document) && { copy: "Copiar CPF ou CNPJ" }),
    },
    other?.bank && { label: "Banco", text: other.bank },
    other?.agency && { label: "Agência", text: other.agency, copy: "Copiar agência" },
    other?.account && { label: "Conta", text: other.account, copy: "Copiar conta" },
    other?.account_digit && { label: "Dígito da conta", text: other.account_digit },
    type && { label: "Tipo de conta", text: accountTypeNames[type as keyof typeof accountTypeNames] ?? type },
    message && { label: "Mensagem", text: message, copy: "Copiar mensagem" },
    endToEndId && { label: "Identificador do Pix", text: endToEndId, copy: "Copiar identificador do Pix" },
  ];
  return lines.filter((line) => Boolean(line)) as Line[];
}

export default function ReceivedPixDialog({ entry, onClose }: ReceivedPixDialogProps) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Detalhes do Pix recebido"
      actions={
        <Button look="primary" onClick={onClose}>
          Fechar detalhes
        </Button>
      }
    >
      <div className={styles.received}>
        <span className="small faint">Valor recebido</span>
        <span className={styles.receivedValue}>
          <MoneyText cents={entry.value} className={styles.value ?? ""} />
          <CopyButton text={plainMoney(entry.value)} label="Copiar valor" />
        </span>
      </div>
      <dl className={styles.lines}>
        {linesOf(entry).map(({ label, text, copy }) => (
          <div key={label} className={styles.line}>
            <dt>{label}</dt>
            <dd>
              <span>{text}</span>
              {copy ? <CopyButton text={text} label={copy} /> : null}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
