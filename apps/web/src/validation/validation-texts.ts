/** Texts of validations on screen. */
import type { Validation, ValidationErrorOnWire } from "@malote/contracts/validation";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import {
  type ValidationStatus,
  validationStatus,
  validationStatusNames,
  validationTypeNames,
} from "@malote/domain/validation";
import {
  type SuggestedField,
  type ValidationCheck,
  type ValidationField,
  validationCheckNames,
  validationFieldNames,
} from "@malote/domain/validation-texts";
import { accountNumber, accountTypeName, pixKeyTypeNames } from "../transfers/index.ts";
import type { PillLook } from "../ui/status-pill.tsx";

const looks: Readonly<Record<ValidationStatus, PillLook>> = {
  VALID: { color: "green", shape: "check" },
  INVALID: { color: "red", shape: "dash" },
  VALIDATING: { color: "yellow", shape: "spinner" },
};

export function lookOf(validation: Pick<Validation, "valid" | "errors">) {
  const status = validationStatus(validation);
  return { name: validationStatusNames[status], ...looks[status] };
}

/** Returns `Ag. 1234 · Conta 56789-7`, or the key as people read it. */
export function wayText({ data }: Pick<Validation, "data">): string {
  if (data.pix_key) return formatPixKey(data.pix_key_type ?? "", data.pix_key);
  const agency = accountNumber(data.agency, data.agency_digit);
  const account = accountNumber(data.account, data.account_digit);
  return `Ag. ${agency ?? "–"} · Conta ${account ?? "–"}`;
}

/** Name that the receipt's file gets. */
export const nameOf = (validation: Pick<Validation, "data">): string =>
  validation.data.name ?? wayText(validation);

/** Validated data, line by line. */
export function linesOf({ type, data, bank_code: code }: Validation, bank: string | undefined) {
  const lines: [label: string, text: string | null][] = [
    ["Tipo de validação", validationTypeNames[type]],
    ["Nome", data.name],
    ["CPF ou CNPJ", data.cpf_cnpj && formatTaxId(data.cpf_cnpj)],
    ["Tipo de chave", data.pix_key_type && pixKeyTypeNames[data.pix_key_type]],
    ["Chave Pix", data.pix_key && formatPixKey(data.pix_key_type ?? "", data.pix_key)],
    ["CPF ou CNPJ do titular", data.pix_key_validation && formatTaxId(data.pix_key_validation.cpf_cnpj)],
    ["Banco", bank ?? code],
    ["Agência", accountNumber(data.agency, data.agency_digit)],
    ["Conta", accountNumber(data.account, data.account_digit)],
    ["Tipo de conta", data.account && accountTypeName(data.account_type)],
  ];
  return lines.flatMap(([label, text]) => (text ? [{ label, text }] : []));
}

export const listedChecks = (checks: readonly ValidationCheck[]): string =>
  checks.map((check) => validationCheckNames[check]).join("; ");

const suggestedText = (field: ValidationField, value: string): string => {
  if (field === "account_type") return accountTypeName(value);
  return field === "cpf_cnpj" ? formatTaxId(value) : value;
};

export interface FieldMessage {
  field: ValidationField;
  name: string;
  message: string;
  /** Returns `Sugestão: Dígito da conta 7`; undefined without a suggestion. */
  suggestion: string | undefined;
}

/** VAL-020: one message for each field, with all its suggestions. */
export function messagesOf(errors: readonly ValidationErrorOnWire[]): FieldMessage[] {
  const fields = [...new Set(errors.map(({ field }) => field))];
  return fields.map((field) => {
    const own = errors.filter((error) => error.field === field);
    const said = [...new Set(own.flatMap(suggestionsOf))];
    return {
      field,
      name: validationFieldNames[field],
      message: own[0]?.message ?? "",
      suggestion:
        said.length === 0 ? undefined : `${said.length === 1 ? "Sugestão" : "Sugestões"}: ${said.join(", ")}`,
    };
  });
}

function suggestionsOf({ field, suggestion }: ValidationErrorOnWire): string[] {
  if (suggestion === undefined) return [];
  if (typeof suggestion === "string") return [suggestedText(field, suggestion)];
  return Object.entries(suggestion).map(
    ([name, value]) =>
      `${validationFieldNames[name as SuggestedField]} ${suggestedText(name as SuggestedField, value)}`,
  );
}
