/** Converts a payin to the wire format for its payer. */
import type { CheckoutCharge } from "@malote/contracts/checkout";
import { addressText } from "@malote/domain/address";
import { bankCodeWithDigit } from "@malote/domain/banks";
import type { CalendarDate } from "@malote/domain/calendar";
import { cardAdvice } from "@malote/domain/card";
import { type FineType, type InterestType, isFixed, percentOf, type Rate } from "@malote/domain/late-charges";
import { cents, formatBrl } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";
import { interestNames } from "@malote/domain/payin-names";
import type { LinkMethod } from "@malote/domain/payment-link";
import { formatTaxId, maskTaxId } from "@malote/domain/tax-id";
import { readCompany, readCompanyData } from "../company/index.ts";
import { isPaid, type PayinRow } from "../payins/index.ts";
import type { Tx } from "../platform/db/database.ts";

function methodOf({ payment_type: type, id }: PayinRow): LinkMethod {
  if (type === "credit_card" || type === "boleto") return type;
  if (type === "pix_dynamic_qrcode") return "pix";
  throw new Error(`payin ${id} of a link is a ${type}`);
}

function stateOf(payin: PayinRow): CheckoutCharge["state"] {
  if (isPaid(payin)) return "paid";
  if (payin.status === "unauthorized") return "refused";
  if (payin.status !== "pending" && payin.status !== "active") return "ended";
  // A charge unknown to the network must not be paid.
  return payin.charged_at === null ? "preparing" : "waiting";
}

/** Converts a payin for its payer. `id` is the payer's own id, by which the page polls. */
export async function presentCharge(tx: Tx, payin: PayinRow, id: string): Promise<CheckoutCharge> {
  const state = stateOf(payin);
  const method = methodOf(payin);
  const { details, expires_at: expiresAt } = payin;
  const isPayable = state === "waiting";
  return {
    id,
    state,
    payment_method: method,
    amount: payin.original_amount ?? payin.amount,
    pix:
      isPayable && details.br_code && expiresAt
        ? { code: details.br_code, expires_at: expiresAt.toISOString() }
        : null,
    boleto: isPayable ? await readBoleto(tx, payin) : null,
    card:
      method === "credit_card"
        ? {
            installments: details.installments ?? 1,
            authorization_code: details.authorization_code ?? null,
            advice: state === "refused" ? cardAdvice(details.rejection_reason ?? null) : null,
          }
        : null,
  };
}

const rateText = ({ type, value }: Rate<InterestType | FineType>) =>
  isFixed(type) ? formatBrl(cents(value)) : `${String(percentOf(value)).replace(".", ",")}%`;

/** Returns the charges after the due date, in the wording of a bank slip. */
function instructionsOf({ details: { late } }: PayinRow): string[] {
  const { interest, fine } = late ?? {};
  return [
    ...(fine ? [`Após o vencimento, cobrar multa de ${rateText(fine)}.`] : []),
    ...(interest
      ? [
          `Após o vencimento, cobrar juros de ${rateText(interest)} (${interestNames[interest.type]?.toLowerCase()}).`,
        ]
      : []),
    "Não receber depois de 30 dias do vencimento.",
  ];
}

async function readBoleto(tx: Tx, payin: PayinRow): Promise<CheckoutCharge["boleto"]> {
  const { barcode, digitable_line: line, due_date: dueDate } = payin.details;
  if (!barcode || !line || !dueDate) return null;
  const [company, { address }] = await Promise.all([readCompany(tx), readCompanyData(tx)]);
  return {
    digitable_line: line,
    barcode,
    due_date: dueDate as CalendarDate,
    issued_at: payin.created_at.toISOString(),
    processed_at: (payin.charged_at ?? payin.created_at).toISOString(),
    bank: { code: bankCodeWithDigit(ownInstitution().code), name: ownInstitution().name },
    // Our part of the free field, by which the bank's clearing identifies the boleto.
    our_number: barcode.slice(-17),
    document_number: payin.id.replaceAll("-", "").slice(-10).toUpperCase(),
    beneficiary_account: `${company.agency} / ${company.account}-${company.accountDigit}`,
    instructions: instructionsOf(payin),
    beneficiary: {
      name: company.name,
      cpf_cnpj: formatTaxId(company.taxId),
      address: address && addressText(address),
    },
    payer: { name: payin.payer_name ?? "", cpf_cnpj: maskTaxId(payin.payer_tax_id ?? "") },
  };
}
