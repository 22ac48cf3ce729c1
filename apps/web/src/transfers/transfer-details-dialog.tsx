import type { Transfer, TransferDetails } from "@malote/contracts/transfers";
import { transferTableTextMax } from "@malote/domain/limits";
import { type PixDescriptionNode, parsePixDescription } from "@malote/domain/pix-description";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { createElement, Fragment, type ReactNode } from "react";
import { type DetailLine, OpenBatchLink, PaymentDetails } from "../payments/parts.ts";
import { ReceiptButton } from "../receipts/index.ts";
import { useOpenedPayment } from "../shell/checkpoints.ts";
import { cutText, formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import {
  accountNumber,
  accountTypeName,
  methodNames,
  pixKeyTypeNames,
  receiverName,
} from "./destination-text.ts";
import { failReason, lookOfTransfer } from "./transfer-status.ts";

interface DetailsProps {
  transfer: TransferDetails;
  onClose: () => void;
  /** Link to the batch, for a payment shown outside it. */
  batch?: { id: string; name: string };
  /** Shows the dialogs that correct or refund a payment, when they are possible. */
  actions?: ReactNode;
}

/** TRF-055: every field that has a value, with copy buttons for those that people paste. */
export default function TransferDetailsDialog({ transfer, batch, onClose, actions }: DetailsProps) {
  useOpenedPayment();
  return (
    <PaymentDetails
      id={transfer.id}
      title="Detalhes da transferência"
      value={transfer.value}
      look={lookOfTransfer(transfer)}
      failReason={failReason(transfer)}
      lines={batch ? [batchLine(batch), ...linesOf(transfer)] : linesOf(transfer)}
      onClose={onClose}
      actions={
        <>
          {transfer.bank_receipt_url ? (
            <ReceiptButton
              of="bank"
              transferId={transfer.id}
              receiver={receiverName(transfer.destination_bank_account)}
            />
          ) : null}
          {transfer.receipt_url ? (
            <ReceiptButton
              transferId={transfer.id}
              receiver={receiverName(transfer.destination_bank_account)}
            />
          ) : null}
          {actions}
        </>
      }
    />
  );
}

const batchLine = (batch: { id: string; name: string }): DetailLine => [
  "Lote",
  <OpenBatchLink key="batch" {...batch} max={transferTableTextMax.name} />,
];

const codeTypes: Readonly<Record<string, string>> = {
  STATIC: "QR Code estático",
  IMMEDIATE_COLLECTION: "Cobrança imediata",
  DUE_DATE_COLLECTION: "Cobrança com vencimento",
};

/** TRF-004, TRF-055: an unknown type shows amount and txid only. */
function codeLines({ emv, emv_data: data }: Transfer): DetailLine[] {
  if (!emv) return [];
  const money = (value: number | null | undefined) => (value ? formatMoney(value) : null);
  const isDue = data?.type === "DUE_DATE_COLLECTION";
  return [
    ["Tipo do código Pix", data && codeTypes[data.type]],
    ["Valor do código Pix", data && (data.amount === null ? "Aberto" : formatMoney(data.amount))],
    ...(isDue
      ? ([
          ["Vencimento", data.due_date && formatDate(data.due_date)],
          ["Multa", money(data.fine_amount)],
          ["Juros", money(data.interest_amount)],
          ["Desconto", money(data.discount_amount)],
          ["Abatimento", money(data.abatment_amount)],
        ] satisfies DetailLine[])
      : []),
    ["Txid", data?.txid, data?.txid ?? null],
    ["Código Pix (copia e cola)", emv, emv],
  ];
}

/** TRF-055: the directory's last answer, with a warning when the holder is not the payment's receiver. */
function holderText({ key_holder: holder }: TransferDetails): string | null {
  if (holder?.status !== "found") return null;
  const text = [holder.name, holder.cpf_cnpj].filter(Boolean).join(" · ");
  return holder.differs ? `${text} (outro documento)` : text;
}

/** Business day of a draft's TED without a date, when that is not today. */
function nextDay({ warnings }: Transfer): string | undefined {
  const later = warnings.find(({ code }) => code === "ted_next_business_day");
  return later?.data && String(later.data["date"]);
}

function linesOf(transfer: TransferDetails): DetailLine[] {
  const to = transfer.destination_bank_account;
  const account = accountNumber(to.account, to.account_digit);
  return [
    ["Recebedor", to.name && cutText(to.name, transferTableTextMax.name), to.name],
    // A masked document has no copy button.
    ["CPF ou CNPJ", to.cpf_cnpj && formatTaxId(to.cpf_cnpj), to.cpf_cnpj?.includes("*") ? null : to.cpf_cnpj],
    ["E-mail", to.email, to.email],
    ["Forma de pagamento", methodNames[transfer.payment_method]],
    ["Tipo de chave", to.pix_key && to.pix_key_type && pixKeyTypeNames[to.pix_key_type]],
    ["Chave Pix", to.pix_key && formatPixKey(to.pix_key_type ?? "", to.pix_key), to.pix_key],
    ["Titular da chave", holderText(transfer)],
    ["Banco", to.Bank && [to.Bank.code, to.Bank.name].filter(Boolean).join(" · ")],
    ["Agência", accountNumber(to.agency, to.agency_digit), accountNumber(to.agency, to.agency_digit)],
    ["Conta", account && cutText(account, transferTableTextMax.accountDetails), account],
    ["Tipo de conta", to.account && accountTypeName(to.account_type)],
    [
      "CPF/CNPJ para validação",
      transfer.pix_key_validation?.cpf_cnpj && formatTaxId(transfer.pix_key_validation.cpf_cnpj),
    ],
    ["Descrição Pix", transfer.pix_description && <DescriptionText written={transfer.pix_description} />],
    [
      "Data do pagamento",
      transfer.payment_date
        ? formatDate(transfer.payment_date)
        : transfer.status === "CREATED"
          ? (nextDay(transfer) ?? "Hoje")
          : null,
    ],
    ["Criada em", formatDateTime(transfer.created_at)],
    ["Transferida em", transfer.transfer_date && formatDateTime(transfer.transfer_date)],
    ["Devolvida em", transfer.returned_date && formatDateTime(transfer.returned_date)],
    ["ID da transação (EndToEnd)", transfer.end_to_end_id, transfer.end_to_end_id],
    ["ID de integração", transfer.integration_id, transfer.integration_id],
    ["Linha da planilha", transfer.sheet_row],
    ...transfer.refunds.map(
      (refund, index): DetailLine => [
        transfer.refunds.length > 1 ? `Devolução ${index + 1}` : "Devolução",
        `${formatMoney(refund.amount)} em ${formatDateTime(refund.settled_at)}${refund.authorization_code ? ` · ${refund.authorization_code}` : ""}`,
        refund.authorization_code,
      ],
    ),
    ...codeLines(transfer),
    ["Identificador", transfer.id, transfer.id],
  ];
}

/** Pix description with its four harmless tags; React draws the tree, never as HTML. */
function DescriptionText({ written }: { written: string }) {
  const parsed = parsePixDescription(written);
  if (parsed.kind === "refused") return written;
  return createElement(Fragment, null, ...parsed.tree.map(drawn));
}

function drawn(node: PixDescriptionNode): ReactNode {
  return typeof node === "string" ? node : createElement(node.tag, null, ...node.children.map(drawn));
}
