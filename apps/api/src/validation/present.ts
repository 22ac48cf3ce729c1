/** Conversions between rows and the wire format. */

import { bases } from "@malote/contracts/contract";
import {
  type DataInput,
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  type Validation,
} from "@malote/contracts/validation";
import { instantOrNull } from "@malote/contracts/wire";
import { findBankByCode, findBankByIspb } from "@malote/domain/banks";
import { maskTaxId } from "@malote/domain/tax-id";
import { type DataToValidate, normaliseDataToValidate, scopeOfValidation } from "@malote/domain/validation";
import { type ValidationError, validationErrorText } from "@malote/domain/validation-texts";
import { knownKeyType } from "../payouts/index.ts";
import type { ValidationRow } from "./store.ts";

/** Returns the bank; the ISPB takes precedence over the code, because every institution has one. */
function bankOf({ bank_ispb: ispb, bank_code: code }: DataInput): string | null {
  const typed = code?.trim();
  return ispb?.trim() || (typed ? (findBankByCode(typed.padStart(3, "0"))?.ispb ?? typed) : null);
}

export const dataFrom = (input: DataInput): DataToValidate =>
  normaliseDataToValidate({
    name: input.name ?? null,
    taxId: input.cpf_cnpj ?? null,
    bankIspb: bankOf(input),
    agency: input.agency ?? null,
    agencyDigit: input.agency_digit ?? null,
    account: input.account ?? null,
    accountDigit: input.account_digit ?? null,
    accountType: input.account_type ?? null,
    pixKeyType: input.pix_key_type ?? null,
    pixKey: input.pix_key?.trim() || null,
    pixKeyValidation: input.pix_key_validation?.cpf_cnpj ?? null,
  });

export const errorOnWire = ({ data, ...error }: ValidationError): Validation["errors"][number] => ({
  ...error,
  message: validationErrorText({ code: error.code, ...(data && { data }) }),
});

const bankReceiptAddress = (id: string) =>
  bases.contacerta + downloadValidationBankReceipt.path.replace(":id", id);
const receiptAddress = (id: string) => bases.contacerta + downloadValidationReceipt.path.replace(":id", id);

/**
 * Converts a row to the wire format; masks a stranger's CPF as banks do (ruling D15), except for people who may
 * repeat the check.
 */
export function validationOf(row: ValidationRow, { whole }: { whole: boolean }): Validation {
  const shown = (taxId: string | null) => (taxId === null || whole ? taxId : maskTaxId(taxId));
  const validation = shown(row.pixKeyValidation);
  const scope = row.valid === true ? scopeOfValidation(row.type, row) : { checked: [], notChecked: [] };
  return {
    id: row.id,
    type: row.type,
    valid: row.valid,
    errors: row.errors.map(errorOnWire),
    checked: scope.checked,
    not_checked: scope.notChecked,
    data: {
      name: row.name,
      cpf_cnpj: shown(row.taxId),
      agency: row.agency,
      agency_digit: row.agencyDigit,
      account: row.account,
      account_digit: row.accountDigit,
      account_type: row.accountType,
      pix_key: row.pixKeyType === "CPF" ? shown(row.pixKey) : row.pixKey,
      pix_key_type: knownKeyType(row.pixKeyType),
      pix_key_validation: validation === null ? null : { cpf_cnpj: validation },
    },
    bank_code: row.bankIspb === null ? null : (findBankByIspb(row.bankIspb)?.code ?? null),
    bank_ispb: row.bankIspb,
    micro_deposit_status: row.microDepositStatus,
    validated_at: instantOrNull(row.validatedAt),
    created_at: row.createdAt.toISOString(),
    receipt_url: row.microDepositStatus === "TRANSFERRED" ? receiptAddress(row.id) : null,
    bank_receipt_url: row.microDepositStatus === "TRANSFERRED" ? bankReceiptAddress(row.id) : null,
  };
}
