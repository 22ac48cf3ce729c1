import type { Payin } from "@malote/contracts/payins";
import { payinIdShownMax } from "@malote/domain/limits";
import { fineNames, interestNames, payinTypeNames } from "@malote/domain/payin-names";
import { shownPixKey } from "@malote/domain/pix-key";
import { formatTaxId, isObfuscatedTaxId } from "@malote/domain/tax-id";
import { cutText, formatDate, formatDateTime, formatMoney } from "../ui/format.ts";

interface Line {
  label: string;
  text: string;
  /** Text shown in place of the copied one, when that is too long or less readable. */
  shown?: string;
  copy?: string;
}

/** Returns the lines of a payin's details that have a value. */
export function payinLines(payin: Payin): Line[] {
  const { payer, details, block, category } = payin;
  const { interest_type: interest, fine_type: fine } = details;
  const lines: (Line | null | false | "" | undefined)[] = [
    payer.tax_id && {
      label: "CPF ou CNPJ",
      text: formatTaxId(payer.tax_id),
      ...(!isObfuscatedTaxId(payer.tax_id) && { copy: "Copiar CPF ou CNPJ" }),
    },
    { label: "Método", text: payinTypeNames[payin.payment_type] },
    payin.payment_link && {
      label: "Link de pagamento",
      text: payin.payment_link.name,
      ...(payin.payment_link_id && { copy: "Copiar nome do link" }),
    },
    payin.payment_link?.description && { label: "Descrição do link", text: payin.payment_link.description },
    payin.message && { label: "Mensagem do pagador", text: payin.message },
    category === "settlement" && { label: "Origem", text: "Repasse de recebíveis de cartão" },
    payin.original_amount !== null && { label: "Valor cobrado", text: formatMoney(payin.original_amount) },
    { label: "Valor recebido", text: formatMoney(payin.received_amount) },
    ...refundedLines(payin),
    { label: "Criado em", text: formatDateTime(payin.created_at) },
    payin.received_at && { label: "Recebido em", text: formatDateTime(payin.received_at) },
    payin.rejected_at && { label: "Rejeitado em", text: formatDateTime(payin.rejected_at) },
    payin.expires_at &&
      payin.status === "pending" && { label: "Pode ser pago até", text: formatDateTime(payin.expires_at) },
    payin.refundable_amount > 0 &&
      payin.refund_expires_at && {
        label: "Pode ser devolvido até",
        text: formatDateTime(payin.refund_expires_at),
      },
    details.due_date && { label: "Vencimento", text: formatDate(details.due_date) },
    details.installments !== null && {
      label: "Parcelas",
      text: details.installments === 1 ? "À vista" : `${details.installments}x`,
    },
    details.authorization_code && {
      label: "Código de autorização",
      text: details.authorization_code,
      copy: "Copiar código de autorização",
    },
    details.pix_key && {
      label: "Chave Pix",
      text: details.pix_key,
      shown: shownPixKey(details.pix_key),
      copy: "Copiar chave Pix",
    },
    details.digitable_line && {
      label: "Linha digitável",
      text: details.digitable_line,
      copy: "Copiar linha digitável",
    },
    interest && {
      label: "Juros",
      text: `${interestNames[interest] ?? interest}${rateOf(details, "interest")}`,
    },
    fine && { label: "Multa", text: `${fineNames[fine] ?? fine}${rateOf(details, "fine")}` },
    block?.block_reason && { label: "Motivo do bloqueio", text: block.block_reason },
    block && { label: "Bloqueado em", text: formatDateTime(block.blocked_at) },
    block?.kept_at && { label: "Bloqueio mantido em", text: formatDateTime(block.kept_at) },
    block?.unblocked_at && { label: "Desbloqueado em", text: formatDateTime(block.unblocked_at) },
    payin.txid && { label: "Identificador (txid)", text: payin.txid, copy: "Copiar txid" },
    payin.end_to_end_id && { label: "ID Pix", text: payin.end_to_end_id, copy: "Copiar ID Pix" },
    {
      label: "ID do recebimento",
      text: payin.id,
      // PAY-010: longer ids of payins are cut.
      shown: cutText(payin.id, payinIdShownMax),
      copy: "Copiar ID do recebimento",
    },
  ];
  return lines.filter((line): line is Line => Boolean(line));
}

/** A card sale is undone as a whole, whatever part of it had arrived: only the arrived part leaves the balance. */
function refundedLines({ payment_type, refunded_amount: refunded, received_amount: came }: Payin): Line[] {
  if (refunded === 0) return [];
  if (payment_type !== "credit_card" || came >= refunded)
    return [{ label: "Valor devolvido", text: formatMoney(refunded) }];
  return [
    { label: "Venda desfeita", text: formatMoney(refunded) },
    { label: "Saiu do seu saldo", text: formatMoney(came) },
    { label: "Parcelas que não chegam mais", text: formatMoney(refunded - came) },
  ];
}

function rateOf(details: Payin["details"], of: "interest" | "fine"): string {
  const [amount, percent] = [details[`${of}_amount`], details[`${of}_percent`]];
  if (amount !== null) return ` · ${formatMoney(amount)}`;
  return percent === null ? "" : ` · ${String(percent).replace(".", ",")}%`;
}
