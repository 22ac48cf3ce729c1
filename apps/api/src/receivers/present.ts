/** Rows and wire shapes, one into the other. */
import type { Receiver } from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { isObfuscatedTaxId, maskTaxId } from "@malote/domain/tax-id";
import { bankOf, knownKeyType } from "../transfers/index.ts";
import type { ReceiverRow } from "./store.ts";

/** A stranger's CPF is shown as every bank shows it (decision 15), but to who is about to pay or correct it. */
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
  };
}

/** What is left out stays as it is, and a masked document means "the one you have". */
export function changedInput(row: ReceiverRow, given: DestinationInput): DestinationInput {
  const stored = receiverOf(row, { whole: true }) as DestinationInput;
  const isMasked = (field: "cpf_cnpj" | "pix_key") => isObfuscatedTaxId(given[field] ?? "");
  return {
    ...stored,
    ...given,
    ...(given.cpf_cnpj && isMasked("cpf_cnpj") && { cpf_cnpj: stored.cpf_cnpj }),
    ...(row.pix_key_type === "CPF" && isMasked("pix_key") && { pix_key: stored.pix_key }),
  };
}
