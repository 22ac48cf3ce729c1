/** Conversions between rows and the wire format. */
import type { Receiver } from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { isMaskOf, isObfuscatedTaxId, maskTaxId } from "@malote/domain/tax-id";
import { bankOf, knownKeyType } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { ReceiverRow } from "./store.ts";

/**
 * Converts a row to the wire format; masks a stranger's CPF as banks do (ruling D15), except for people who are about
 * to pay or correct the receiver.
 */
export function receiverOf(row: ReceiverRow, { whole }: { whole: boolean }): Receiver {
  const shown = (taxId: string | null) => (taxId === null || whole ? taxId : maskTaxId(taxId));
  return {
    id: row.id,
    name: row.name,
    cpf_cnpj: shown(row.tax_id),
    email: row.email,
    bank_id: row.bank_ispb,
    agency: row.agency,
    agency_digit: row.agency_digit,
    account_type: row.account_type,
    account: row.account,
    account_digit: row.account_digit,
    pix_key: row.pix_key_type === "CPF" ? shown(row.pix_key) : row.pix_key,
    pix_key_type: knownKeyType(row.pix_key_type),
    status: row.status,
    status_description: row.status_description,
    Bank: bankOf(row.bank_ispb),
    last_payment:
      row.paid_at && row.paid_value !== null
        ? { at: row.paid_at.toISOString(), value: row.paid_value }
        : null,
  };
}

/**
 * Merges a change into the stored receiver: an omitted field stays. A tax id masked like the displayed one means the
 * stored one; any other mask is refused.
 */
export function changedInput(row: ReceiverRow, given: DestinationInput): DestinationInput {
  const stored = receiverOf(row, { whole: true }) as DestinationInput;
  if (given.cpf_cnpj && isObfuscatedTaxId(given.cpf_cnpj) && !isMaskOf(given.cpf_cnpj, row.tax_id))
    throw new AppError("receiver_invalid", { errors: [{ code: "tax_id_invalid", field: "cpf_cnpj" }] });
  return {
    ...stored,
    ...given,
    ...(isMaskOf(given.cpf_cnpj, row.tax_id) && { cpf_cnpj: stored.cpf_cnpj }),
    ...(row.pix_key_type === "CPF" && isMaskOf(given.pix_key, row.pix_key) && { pix_key: stored.pix_key }),
  };
}
