/** Form of a validation and its texts: text as typed, empty for nothing. */
import type { DataInput, Validation } from "@malote/contracts/validation";
import { formatPixKey, type PixKeyType } from "@malote/domain/pix-key";
import { formatTaxId, taxIdKind } from "@malote/domain/tax-id";
import { type DataToValidate, normaliseDataToValidate, problemsOfData } from "@malote/domain/validation";
import type { ValidationError } from "@malote/domain/validation-texts";
import type { ValidationType } from "@malote/domain/validation-types";

/** VAL-001: kinds of data. CPF and CNPJ are one kind, distinguished by the value (VAL-009). */
export const kinds = ["account", "taxId", "email", "phone", "random"] as const;
export type Kind = (typeof kinds)[number];
export type KeyKind = Exclude<Kind, "account">;

export const kindNames: Readonly<Record<Kind, string>> = {
  account: "Conta bancária",
  taxId: "CPF/CNPJ",
  email: "E-mail",
  phone: "Celular",
  random: "Chave aleatória",
};

export interface ValidationForm {
  kind: Kind;
  name: string;
  cpf_cnpj: string;
  /** ISPB. */
  bank: string;
  agency: string;
  agency_digit: string;
  account: string;
  account_digit: string;
  account_type: string;
  /** One set of values for each kind, so that looking at another kind loses nothing. */
  keys: Readonly<Record<KeyKind, string>>;
  pix_key_validation: string;
  /** Fields in which a repeated validation names its key's holder; both are shown, whatever the type. */
  holders: readonly HolderField[];
}
/** A program may send the holder in either field, with either type. */
export type HolderField = "cpf_cnpj" | "pix_key_validation";

/** VAL-023: a new form starts with a bank account. */
export const emptyForm: ValidationForm = {
  kind: "account",
  name: "",
  cpf_cnpj: "",
  bank: "",
  agency: "",
  agency_digit: "",
  account: "",
  account_digit: "",
  account_type: "",
  keys: { taxId: "", email: "", phone: "", random: "" },
  pix_key_validation: "",
  holders: [],
};

/**
 * Returns the fields for the holder of a key: those of the repeated validation, and for a micro deposit at least one
 * (VAL-010).
 */
export function holderFieldsOf(
  { holders }: Pick<ValidationForm, "holders">,
  type: ValidationType | undefined,
): readonly HolderField[] {
  return holders.length === 0 && type === "MICRO_DEPOSIT" ? ["pix_key_validation"] : holders;
}

const typeOfKind: Readonly<Record<Exclude<KeyKind, "taxId">, PixKeyType>> = {
  email: "EMAIL",
  phone: "TELEFONE",
  random: "CHAVE_ALEATORIA",
};
const kindOfType: Readonly<Record<PixKeyType, KeyKind>> = {
  CPF: "taxId",
  CNPJ: "taxId",
  EMAIL: "email",
  TELEFONE: "phone",
  CHAVE_ALEATORIA: "random",
};

/** VAL-009: the value shows whether CPF or CNPJ. */
const typeOfKey = (kind: KeyKind, key: string): PixKeyType =>
  kind === "taxId" ? (taxIdKind(key) ?? "CPF") : typeOfKind[kind];

export function dataOf(form: ValidationForm, type: ValidationType | undefined): DataToValidate {
  const { kind } = form;
  const isKey = kind !== "account";
  const ofAccount = (text: string) => (isKey ? null : text || null);
  const fields = isKey ? holderFieldsOf(form, type) : [];
  const ofHolder = (field: HolderField) => (fields.includes(field) ? form[field] || null : null);
  return normaliseDataToValidate({
    name: form.name || null,
    taxId: isKey ? ofHolder("cpf_cnpj") : form.cpf_cnpj || null,
    bankIspb: ofAccount(form.bank),
    agency: ofAccount(form.agency),
    agencyDigit: ofAccount(form.agency_digit),
    account: ofAccount(form.account),
    accountDigit: ofAccount(form.account_digit),
    accountType: ofAccount(form.account_type),
    pixKeyType: isKey ? typeOfKey(kind, form.keys[kind]) : null,
    pixKey: isKey ? form.keys[kind] : null,
    pixKeyValidation: ofHolder("pix_key_validation"),
  });
}

export function inputOf(data: DataToValidate): DataInput {
  const given: Record<string, unknown> = {
    name: data.name,
    cpf_cnpj: data.taxId,
    bank_ispb: data.bankIspb,
    agency: data.agency,
    agency_digit: data.agencyDigit,
    account: data.account,
    account_digit: data.accountDigit,
    account_type: data.accountType,
    pix_key: data.pixKey,
    pix_key_type: data.pixKeyType,
    pix_key_validation: data.pixKeyValidation && { cpf_cnpj: data.pixKeyValidation },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as DataInput;
}

/** VAL-023: fills the form with the earlier data. */
export function formOf({ data, bank_ispb }: Validation): ValidationForm {
  const kind = data.pix_key_type ? kindOfType[data.pix_key_type] : "account";
  const key = formatPixKey(data.pix_key_type ?? "", data.pix_key ?? "");
  return {
    kind,
    name: data.name ?? "",
    cpf_cnpj: formatTaxId(data.cpf_cnpj ?? ""),
    bank: bank_ispb ?? "",
    agency: data.agency ?? "",
    agency_digit: data.agency_digit ?? "",
    account: data.account ?? "",
    account_digit: data.account_digit ?? "",
    account_type: data.account_type ?? "",
    keys: kind === "account" ? emptyForm.keys : { ...emptyForm.keys, [kind]: key },
    pix_key_validation: formatTaxId(data.pix_key_validation?.cpf_cnpj ?? ""),
    holders:
      kind === "account"
        ? []
        : (["cpf_cnpj", "pix_key_validation"] as const).filter((field) => data[field] !== null),
  };
}

export const problemsOf = (data: DataToValidate): ValidationError[] => problemsOfData(data);
