/** Receipts of incoming money and of refunds: their lines, in order. */

import { type CalendarDate, formatDate, saoPauloDate, saoPauloTime } from "./calendar.ts";
import { cents, formatBrl } from "./money.ts";
import { ownInstitution } from "./own-institution.ts";
import type { PayinType } from "./payin.ts";
import { payinTypeNames } from "./payin-names.ts";
import { shownPixKey } from "./pix-key.ts";
import type { Receipt, ReceiptLine, ReceiptPayer } from "./receipt.ts";
import { formatTaxId, maskTaxId } from "./tax-id.ts";

export interface ReceivedPayin {
  id: string;
  type: PayinType;
  /** The sale of a card; for any other payin, the arrived amount. */
  amount: number;
  originalAmount: number | null;
  at: Date;
  payerName: string | null;
  payerTaxId: string | null;
  endToEndId: string | null;
  txid: string | null;
  pixKey: string | null;
  message: string | null;
  digitableLine: string | null;
  dueDate: string | null;
  installments: number | null;
  authorizationCode: string | null;
  /** The name of the payin's payment link. */
  linkName: string | null;
}

export interface GivenBack {
  id: string;
  amount: number;
  at: Date;
  nature: "asked" | "infraction" | "block";
}

type Given = readonly [label: string, text: string | null | undefined | false];
const linesOf = (given: readonly Given[]): ReceiptLine[] =>
  given.flatMap(([label, text]) => (text ? [{ label, text }] : []));

const taxIdLabel = (taxId: string) => (taxId.length === 11 ? "CPF" : "CNPJ");
const momentText = (at: Date) =>
  `${formatDate(saoPauloDate(at))} às ${saoPauloTime(at)} (horário de Brasília)`;

const companyOf = (company: ReceiptPayer, heading: string) => ({
  heading,
  lines: linesOf([
    ["Nome", company.name],
    [taxIdLabel(company.taxId), formatTaxId(company.taxId)],
    [
      "Instituição",
      ownInstitution().code ? `${ownInstitution().code} · ${ownInstitution().name}` : ownInstitution().name,
    ],
    ["Agência", company.agency],
    ["Conta", `${company.account}-${company.accountDigit}`],
  ]),
});

const payerOf = ({ payerName, payerTaxId }: ReceivedPayin, heading: string) => ({
  heading,
  lines: linesOf([
    ["Nome", payerName ?? "Não informado pelo banco de quem pagou"],
    [taxIdLabel(payerTaxId ?? ""), payerTaxId && maskTaxId(payerTaxId)],
  ]),
});

const aboutOf = (payin: ReceivedPayin): Given[] => [
  // The key itself is on a separate line.
  ["Forma", payin.type === "pix_key" ? "Pix" : payinTypeNames[payin.type]],
  ["Link de pagamento", payin.linkName],
  [
    "Valor cobrado",
    payin.originalAmount !== null &&
      payin.originalAmount !== payin.amount &&
      formatBrl(cents(payin.originalAmount)),
  ],
  [
    "Parcelas",
    payin.installments !== null && (payin.installments === 1 ? "À vista" : `${payin.installments}x`),
  ],
  ["Código de autorização", payin.authorizationCode],
  ["Linha digitável", payin.digitableLine],
  ["Vencimento", payin.dueDate && formatDate(payin.dueDate as CalendarDate)],
  ["Chave Pix", payin.pixKey && shownPixKey(payin.pixKey)],
  ["Mensagem do pagador", payin.message],
  ["Identificador (txid)", payin.txid],
  ["ID da transação (EndToEnd)", payin.endToEndId],
  ["Recebimento", payin.id],
];

/** Returns the same receipt on every machine and in every time zone. Lines without a value are omitted. */
export function payinReceiptOf(company: ReceiptPayer, payin: ReceivedPayin): Receipt {
  const isCard = payin.type === "credit_card";
  return {
    title: isCard ? "Comprovante de venda no cartão" : "Comprovante de recebimento",
    valueLabel: isCard ? "Valor da venda" : "Valor recebido",
    value: formatBrl(cents(payin.amount)),
    paidAt: momentText(payin.at),
    sections: [
      payerOf(payin, "Quem pagou"),
      companyOf(company, "Quem recebeu"),
      { heading: "Sobre o recebimento", lines: linesOf(aboutOf(payin)) },
    ],
  };
}

const natureNames: Readonly<Record<GivenBack["nature"], string>> = {
  asked: "Pedida pela empresa",
  infraction: "Contestação do Pix aceita",
  block: "Fim do bloqueio cautelar, com devolução",
};

export function refundReceiptOf(company: ReceiptPayer, payin: ReceivedPayin, refund: GivenBack): Receipt {
  return {
    title: "Comprovante de devolução",
    valueLabel: "Valor devolvido",
    value: formatBrl(cents(refund.amount)),
    paidAt: momentText(refund.at),
    sections: [
      payerOf(payin, "Quem recebeu a devolução"),
      companyOf(company, "Quem devolveu"),
      {
        heading: "Sobre a devolução",
        lines: linesOf([
          ["Motivo", natureNames[refund.nature]],
          ["Devolução", refund.id],
          ["Valor recebido", formatBrl(cents(payin.amount))],
          ["Recebido em", momentText(payin.at)],
          ...aboutOf({ ...payin, originalAmount: null }),
        ]),
      },
    ],
  };
}
