import type { Boleto } from "@malote/contracts/boletos";
import { boletoDescriptionMax } from "@malote/domain/limits";
import type { ReactNode } from "react";
import { type DetailLine, PaymentDetails } from "../payments/parts.ts";
import { ReceiptButton } from "../receipts/index.ts";
import { useOpenedPayment } from "../shell/checkpoints.ts";
import { cutText, formatDateTime, formatMoney } from "../ui/format.ts";
import { failReason, hasReceipt, lookOfBoleto } from "./boleto-status.ts";
import { boletoName, dueText, issuerText, lineText, payDayText, priceText } from "./boleto-text.ts";

interface DetailsProps {
  boleto: Boleto;
  onClose: () => void;
  /** Shows the dialogs that correct, refund or cancel a boleto, when they are possible. */
  actions?: ReactNode;
}

/** BIL-024: shows the facts of one boleto. */
export default function BoletoDetailsDialog({ boleto, onClose, actions }: DetailsProps) {
  useOpenedPayment();
  const name = boletoName(boleto);
  return (
    <PaymentDetails
      id={boleto.id}
      title="Detalhes do boleto"
      value={boleto.value}
      look={lookOfBoleto(boleto)}
      failReason={failReason(boleto)}
      lines={linesOf(boleto)}
      onClose={onClose}
      actions={
        <>
          {hasReceipt(boleto) && boleto.bank_receipt_url ? (
            <ReceiptButton of="bank" transferId={boleto.id} receiver={name} />
          ) : null}
          {hasReceipt(boleto) && boleto.receipt_url ? (
            <ReceiptButton transferId={boleto.id} receiver={name} />
          ) : null}
          {actions}
        </>
      }
    >
      <p className="strong" style={{ margin: 0, overflowWrap: "anywhere" }} title={name}>
        {cutText(name, boletoDescriptionMax.inDetails)}
      </p>
    </PaymentDetails>
  );
}

const linesOf = (boleto: Boleto): DetailLine[] => [
  ["Linha digitável", lineText(boleto), boleto.digitable_line],
  ["Banco", issuerText(boleto)],
  [
    "Beneficiário",
    boleto.register?.beneficiary &&
      `${boleto.register.beneficiary.name} · ${boleto.register.beneficiary.cpf_cnpj}`,
  ],
  ["Valor registrado", boleto.register?.value ? formatMoney(boleto.register.value) : null],
  ["Preço no dia", priceText(boleto) ?? null],
  ["Vencimento", dueText(boleto.due_date)],
  ["Agendado para", payDayText(boleto)],
  ["Pago em", boleto.paid_date && formatDateTime(boleto.paid_date)],
  ["Devolvido em", boleto.returned_date && formatDateTime(boleto.returned_date)],
  ["Lote", boleto.batch.name],
  ["ID de integração", boleto.integration_id, boleto.integration_id],
  ["Criado em", formatDateTime(boleto.created_at)],
  ["Identificador", boleto.id, boleto.id],
];
