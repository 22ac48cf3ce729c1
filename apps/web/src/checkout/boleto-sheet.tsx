import type { CheckoutCharge } from "@malote/contracts/checkout";
import type { ReactNode } from "react";
import { formatAmount, formatDate } from "../ui/format.ts";
import { Barcode } from "./barcode.tsx";
import styles from "./boleto-sheet.module.css";

interface BoletoSheetProps {
  boleto: NonNullable<CheckoutCharge["boleto"]>;
  amount: number;
}

/** The boleto on paper, or in a PDF the browser makes: the payer's slip and the one the bank reads. On no screen. */
export function BoletoSheet(props: BoletoSheetProps) {
  return (
    <div className={styles.sheet} aria-hidden>
      <Slip title="Recibo do pagador" {...props} />
      <p className={styles.cut}>Corte na linha pontilhada</p>
      <Slip title="Ficha de compensação" {...props}>
        <div className={styles.bars}>
          <Barcode digits={props.boleto.barcode} />
        </div>
      </Slip>
    </div>
  );
}

function Slip({
  title,
  boleto,
  amount,
  children,
}: BoletoSheetProps & { title: string; children?: ReactNode }) {
  const { beneficiary, payer, digitable_line, due_date, issued_at, barcode } = boleto;
  return (
    <div className={styles.slip}>
      <div className={styles.head}>
        <strong>{barcode.slice(0, 3)}</strong>
        <strong>{digitable_line}</strong>
      </div>
      <dl className={styles.cells}>
        <Cell label="Local de pagamento" wide>
          Pagável em qualquer banco até o vencimento
        </Cell>
        <Cell label="Vencimento">{formatDate(due_date)}</Cell>
        <Cell label="Beneficiário" wide>
          {beneficiary.name}, {beneficiary.cpf_cnpj}
        </Cell>
        <Cell label="Valor do documento (R$)">{formatAmount(amount)}</Cell>
        <Cell label="Pagador" wide>
          {payer.name}, {payer.cpf_cnpj}
        </Cell>
        <Cell label="Data do documento">{formatDate(issued_at)}</Cell>
      </dl>
      {children}
      <p className={styles.title}>{title}</p>
    </div>
  );
}

function Cell({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.cell} data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
