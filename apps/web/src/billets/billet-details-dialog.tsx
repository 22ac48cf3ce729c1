import type { Billet } from "@malote/contracts/billets";
import { billetDescriptionMax } from "@malote/domain/limits";
import type { ReactNode } from "react";
import { type DetailLine, PaymentDetails } from "../payments/parts.ts";
import { ReceiptButton } from "../receipts/index.ts";
import { useOpenedPayment } from "../shell/checkpoints.ts";
import { cutText, formatDateTime, formatMoney } from "../ui/format.ts";
import { failReason, hasReceipt, lookOfBillet } from "./billet-status.ts";
import { billetName, dueText, issuerText, lineText, payDayText, priceText } from "./billet-text.ts";

interface DetailsProps {
  billet: Billet;
  onClose: () => void;
  /** Correcting, refunding and cancelling, where they are possible. */
  actions?: ReactNode;
}

/** BIL-024. */
export default function BilletDetailsDialog({ billet, onClose, actions }: DetailsProps) {
  useOpenedPayment();
  const name = billetName(billet);
  return (
    <PaymentDetails
      title="Detalhes do boleto"
      value={billet.value}
      look={lookOfBillet(billet)}
      failReason={failReason(billet)}
      lines={linesOf(billet)}
      onClose={onClose}
      actions={
        <>
          {hasReceipt(billet) && billet.bank_receipt_url ? (
            <ReceiptButton of="bank" transferId={billet.id} receiver={name} />
          ) : null}
          {hasReceipt(billet) && billet.receipt_url ? (
            <ReceiptButton transferId={billet.id} receiver={name} />
          ) : null}
          {actions}
        </>
      }
    >
      <p className="strong" style={{ margin: 0, overflowWrap: "anywhere" }} title={name}>
        {cutText(name, billetDescriptionMax.inDetails)}
      </p>
    </PaymentDetails>
  );
}

const linesOf = (billet: Billet): DetailLine[] => [
  ["Linha digitável", lineText(billet), billet.digitable_line],
  ["Banco", issuerText(billet)],
  [
    "Beneficiário",
    billet.register?.beneficiary &&
      `${billet.register.beneficiary.name} · ${billet.register.beneficiary.cpf_cnpj}`,
  ],
  ["Valor registrado", billet.register?.value ? formatMoney(billet.register.value) : null],
  ["Preço no dia", priceText(billet) ?? null],
  ["Vencimento", dueText(billet.due_date)],
  ["Agendado para", payDayText(billet)],
  ["Pago em", billet.paid_date && formatDateTime(billet.paid_date)],
  ["Devolvido em", billet.returned_date && formatDateTime(billet.returned_date)],
  ["Lote", billet.batch.name],
  ["ID de integração", billet.integration_id, billet.integration_id],
  ["Criado em", formatDateTime(billet.created_at)],
  ["Identificador", billet.id, billet.id],
];
