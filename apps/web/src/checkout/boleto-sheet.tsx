import type { CheckoutCharge } from "@malote/contracts/checkout";
import type { ReactNode } from "react";
import { formatAmount, formatDate } from "../ui/format.ts";
import { Barcode } from "./barcode.tsx";
import styles from "./boleto-sheet.module.css";

interface BoletoSheetProps {
  boleto: NonNullable<CheckoutCharge["boleto"]>;
  amount: number;
}

/** The boleto on paper, or in a PDF the browser makes: the payer's slip and the bank's. Hidden on screens. */
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
  const { beneficiary, payer, digitable_line, due_date, issued_at, bank } = boleto;
  return (
    <div className={styles.slip}>
      <div className={styles.head}>
        <strong>{bank.name}</strong>
        <strong>{bank.code}</strong>
        <strong>{digitable_line}</strong>
      </div>
      <dl className={styles.cells}>
        <Cell label="Local de pagamento" wide>
          Pagável em qualquer banco, também pelo aplicativo
        </Cell>
        <Cell label="Vencimento">{formatDate(due_date)}</Cell>
        <Cell label="Beneficiário" wide>
          {beneficiary.name}, {beneficiary.cpf_cnpj}
          {beneficiary.address ? <div>{beneficiary.address}</div> : null}
        </Cell>
        <Cell label="Agência / Código do beneficiário">{boleto.beneficiary_account}</Cell>
        <div className={styles.row}>
          <Cell label="Data do documento">{formatDate(issued_at)}</Cell>
          <Cell label="Nº do documento">{boleto.document_number}</Cell>
          <Cell label="Espécie doc.">DM</Cell>
          <Cell label="Aceite">N</Cell>
          <Cell label="Data do processamento">{formatDate(boleto.processed_at)}</Cell>
        </div>
        <Cell label="Nosso número">{boleto.our_number}</Cell>
        <div className={styles.row}>
          <Cell label="Carteira">1</Cell>
          <Cell label="Espécie">R$</Cell>
          <Cell label="Quantidade">{""}</Cell>
          <Cell label="(x) Valor">{""}</Cell>
        </div>
        <Cell label="Valor do documento (R$)">{formatAmount(amount)}</Cell>
        <Cell label="Pagador" wide>
          {payer.name}, {payer.cpf_cnpj}
        </Cell>
        <Cell label="(=) Valor cobrado">{""}</Cell>
        <Cell label="Instruções (texto de responsabilidade do beneficiário)" wide>
          {boleto.instructions.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Cell>
        <Cell label="(+) Juros e multa">{""}</Cell>
      </dl>
      {children}
      <p className={styles.title}>Autenticação mecânica · {title}</p>
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
