/** Receipt of a payment that arrived: its lines, in order. */
import { accountTypeNames } from "./bank-account.ts";
import { findBankByCode, findBankByIspb } from "./banks.ts";
import { formatBoletoLine, issuerCode } from "./boleto-code.ts";
import { type CalendarDate, formatDate, saoPauloDate, saoPauloTime } from "./calendar.ts";
import type { PaymentMethod } from "./limits.ts";
import { cents, formatBrl } from "./money.ts";
import { ownInstitution } from "./own-institution.ts";
import { type PaymentStatus, statusesArrived } from "./payment-status.ts";
import { pixDescriptionText } from "./pix-description.ts";
import { maskPixKey } from "./pix-key.ts";
import { formatTaxId, maskTaxId } from "./tax-id.ts";

/** Statuses in which the receiver has the money (TRF-056). Returned money is shown by a refund, not by a receipt. */
export const statusesWithReceipt = statusesArrived;

export const hasReceipt = (status: PaymentStatus): boolean =>
  statusesWithReceipt.some((paid) => paid === status);

export interface ReceiptPayer {
  name: string;
  taxId: string;
  agency: string;
  account: string;
  accountDigit: string;
}

export interface PaidPayment {
  id: string;
  value: number;
  paymentMethod: PaymentMethod;
  paidAt: Date;
  batchName: string;
  name: string | null;
  taxId: string | null;
  bankIspb: string | null;
  agency: string | null;
  agencyDigit: string | null;
  account: string | null;
  accountDigit: string | null;
  accountType: string | null;
  pixKeyType: string | null;
  pixKey: string | null;
  description: string | null;
  /** The barcode of a boleto: 44 digits. */
  barcode: string | null;
  /** The due date of a boleto, `YYYY-MM-DD`, where its code has one. */
  dueDate: string | null;
  integrationId: string | null;
  endToEndId: string | null;
}

export interface ReceiptLine {
  label: string;
  text: string;
}

export interface Receipt {
  title: string;
  /** The label of the large amount. */
  valueLabel: string;
  value: string;
  /** The moment at which the money arrived, local time in São Paulo. */
  paidAt: string;
  sections: { heading: string; lines: ReceiptLine[] }[];
}

const titles: Readonly<Record<PaidPayment["paymentMethod"], string>> = {
  PIX: "Comprovante de Pix",
  TED: "Comprovante de TED",
  TEV: "Comprovante de transferência interna",
  BILLET: "Comprovante de pagamento de boleto",
};

const methodNames: Readonly<Record<PaidPayment["paymentMethod"], string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Transferência interna",
  BILLET: "Boleto",
};

const withDigit = (number: string | null, digit: string | null) =>
  number && (digit ? `${number}-${digit}` : number);

const bankText = ({ code, name }: { code: string | null; name: string }) =>
  code ? `${code} · ${name}` : name;

/** Returns the label of a document, which a masked document on a receipt still reveals. */
const taxIdLabel = (taxId: string) => (taxId.length === 11 ? "CPF" : "CNPJ");

const keyText = ({ pixKeyType, pixKey }: PaidPayment): string | null =>
  pixKey ? maskPixKey(pixKeyType ?? "", pixKey) : null;

const accountTypeText = (type: string | null): string | null =>
  type && Object.hasOwn(accountTypeNames, type)
    ? accountTypeNames[type as keyof typeof accountTypeNames]
    : null;

type Given = readonly [label: string, text: string | null | undefined];

const linesOf = (given: readonly Given[]): ReceiptLine[] =>
  given.flatMap(([label, text]) => (text ? [{ label, text }] : []));

function receiverOf(payment: PaidPayment): Receipt["sections"][number] {
  const bank = payment.bankIspb === null ? undefined : findBankByIspb(payment.bankIspb);
  return {
    heading: "Quem recebeu",
    lines: linesOf([
      ["Nome", payment.name],
      [taxIdLabel(payment.taxId ?? ""), payment.taxId && maskTaxId(payment.taxId)],
      ["Chave Pix", keyText(payment)],
      ["Instituição", bank && bankText(bank)],
      ["Agência", withDigit(payment.agency, payment.agencyDigit)],
      ["Conta", withDigit(payment.account, payment.accountDigit)],
      ["Tipo de conta", payment.account && accountTypeText(payment.accountType)],
    ]),
  };
}

function boletoOf(barcode: string, dueDate: string | null): Receipt["sections"][number] {
  const bank = findBankByCode(issuerCode(barcode) ?? "");
  return {
    heading: "Boleto pago",
    lines: linesOf([
      ["Linha digitável", formatBoletoLine(barcode)],
      ["Banco emissor", bank && bankText(bank)],
      ["Vencimento", dueDate && formatDate(dueDate as CalendarDate)],
    ]),
  };
}

/** Returns the same receipt on every machine and in every time zone. Lines without a value are omitted. */
export function receiptOf(payer: ReceiptPayer, payment: PaidPayment): Receipt {
  const isPix = payment.paymentMethod === "PIX";
  return {
    title: titles[payment.paymentMethod],
    valueLabel: "Valor pago",
    value: formatBrl(cents(payment.value)),
    paidAt: `${formatDate(saoPauloDate(payment.paidAt))} às ${saoPauloTime(payment.paidAt)} (horário de Brasília)`,
    sections: [
      payment.barcode === null ? receiverOf(payment) : boletoOf(payment.barcode, payment.dueDate),
      {
        heading: "Quem pagou",
        lines: linesOf([
          ["Nome", payer.name],
          [taxIdLabel(payer.taxId), formatTaxId(payer.taxId)],
          ["Instituição", bankText(ownInstitution())],
          ["Agência", payer.agency],
          ["Conta", withDigit(payer.account, payer.accountDigit)],
        ]),
      },
      {
        heading: "Sobre o pagamento",
        lines: linesOf([
          ["Forma", methodNames[payment.paymentMethod]],
          [
            "Descrição",
            // The company's own text for a boleto; a text with marks for a Pix.
            payment.barcode === null
              ? payment.description && pixDescriptionText(payment.description)
              : payment.description,
          ],
          ["Lote", payment.batchName],
          ["ID de integração", payment.integrationId],
          [isPix ? "ID da transação (EndToEnd)" : "ID da transação", payment.endToEndId],
          ["Identificador", payment.id],
        ]),
      },
    ],
  };
}
