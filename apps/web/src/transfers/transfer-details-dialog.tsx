import type { Transfer } from "@malote/contracts/transfers";
import { transferTableTextMax } from "@malote/domain/limits";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import type { ReactNode } from "react";
import { type DetailLine, OpenBatchLink, PaymentDetails } from "../payments/parts.ts";
import { ReceiptButton } from "../receipts/index.ts";
import { formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import { DescriptionText } from "./description-text.tsx";
import {
  accountNumber,
  accountTypeName,
  methodNames,
  pixKeyTypeNames,
  receiverName,
} from "./destination-text.ts";
import { failReason, lookOfTransfer } from "./transfer-status.ts";

interface DetailsProps {
  transfer: Transfer;
  onClose: () => void;
  /** Where it is shown outside its batch: the way to it. */
  batch?: { id: string; name: string };
  /** Correcting and refunding, where they are possible. */
  actions?: ReactNode;
}

/** TRF-055: every field that has a value, with a copy button where somebody will need to paste it. */
export default function TransferDetailsDialog({ transfer, batch, onClose, actions }: DetailsProps) {
  return (
    <PaymentDetails
      title="Detalhes da transferência"
      value={transfer.value}
      look={lookOfTransfer(transfer)}
      failReason={failReason(transfer)}
      lines={batch ? [batchLine(batch), ...linesOf(transfer)] : linesOf(transfer)}
      onClose={onClose}
      actions={
        <>
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
  <OpenBatchLink key="batch" {...batch} max={transferTableTextMax.accountDetails} />,
];

function linesOf(transfer: Transfer): DetailLine[] {
  const to = transfer.destination_bank_account;
  return [
    ["Recebedor", to.name, to.name],
    // A masked document is nothing to paste.
    ["CPF ou CNPJ", to.cpf_cnpj && formatTaxId(to.cpf_cnpj), to.cpf_cnpj?.includes("*") ? null : to.cpf_cnpj],
    ["E-mail", to.email, to.email],
    ["Forma de pagamento", methodNames[transfer.payment_method]],
    ["Tipo de chave", to.pix_key && to.pix_key_type && pixKeyTypeNames[to.pix_key_type]],
    ["Chave Pix", to.pix_key && formatPixKey(to.pix_key_type ?? "", to.pix_key), to.pix_key],
    ["Banco", to.Bank && [to.Bank.code, to.Bank.name].filter(Boolean).join(" · ")],
    ["Agência", accountNumber(to.agency, to.agency_digit), accountNumber(to.agency, to.agency_digit)],
    ["Conta", accountNumber(to.account, to.account_digit), accountNumber(to.account, to.account_digit)],
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
          ? "Hoje"
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
    ["Comprovante do banco", transfer.bank_receipt_url && <a href={transfer.bank_receipt_url}>Baixar</a>],
    ["Identificador", transfer.id, transfer.id],
  ];
}
