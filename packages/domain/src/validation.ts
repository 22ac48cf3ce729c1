/**
 * Checks of ContaCerta: first the form, then the data by our own rules, then the answer of the Pix directory or of a
 * micro deposit.
 */
import { type BankAccount, checkBankAccount, hasCertainDigits, isAccountType } from "./bank-account.ts";
import { findBankByIspb } from "./banks.ts";
import type { Issue } from "./issues.ts";
import { type Cents, cents } from "./money.ts";
import { ownInstitution } from "./own-institution.ts";
import { detectPixKeyType, pixKeyProblem } from "./pix-key.ts";
import { isObfuscatedTaxId, isTaxId, normaliseTaxId } from "./tax-id.ts";
import { type Destination, normaliseDestination, type TransferMethod } from "./transfer.ts";
import type {
  Suggestion,
  ValidationCheck,
  ValidationError,
  ValidationErrorCode,
  ValidationField,
} from "./validation-texts.ts";
import type { ValidationType } from "./validation-types.ts";

/** Portuguese names of the types of validation (VAL-002). */
export const validationTypeNames: Readonly<Record<ValidationType, string>> = {
  BASIC: "Validação básica",
  MICRO_DEPOSIT: "Microdepósito",
};

export interface AllowedValidations {
  uses_basic_validation: boolean;
  uses_micro_deposit: boolean;
}

/** Returns the allowed types; the first one is a form's default (VAL-003). */
export function allowedValidationTypes(allowed: AllowedValidations): ValidationType[] {
  return [
    ...(allowed.uses_basic_validation ? (["BASIC"] as const) : []),
    ...(allowed.uses_micro_deposit ? (["MICRO_DEPOSIT"] as const) : []),
  ];
}

/** The cost of a micro deposit to the company that requests it. */
export const microDepositValue: Cents = cents(1);
/** Maximum number of micro deposits of one user, or of all credentials, within so many minutes. */
export const microDepositWindow = { max: 100, minutes: 15 } as const;

/** The screen polls every 2 seconds, 30 times (VAL-021, VAL-022). */
export const validationPolling = { everyMs: 2_000, timesMax: 30 } as const;

export const validationStatuses = ["VALID", "INVALID", "VALIDATING"] as const;
export type ValidationStatus = (typeof validationStatuses)[number];

export const validationStatusNames: Readonly<Record<ValidationStatus, string>> = {
  VALID: "Validado",
  INVALID: "Inválido",
  VALIDATING: "Validando",
};

/** Returns valid, invalid, or still being validated (VAL-017). */
export function validationStatus({
  valid,
  errors,
}: {
  valid: boolean | null;
  errors: readonly unknown[];
}): ValidationStatus {
  if (valid === true) return "VALID";
  return errors.length > 0 ? "INVALID" : "VALIDATING";
}

/** A bank account or a Pix key as entered. Empty text and null mean the same. */
export type DataToValidate = Omit<Destination, "email"> & {
  /** The document that the key's owner must have (VAL-010). */
  pixKeyValidation: string | null;
};

/**
 * Returns the stored form: trimmed, documents without mask, the key in its own form and with its real type (VAL-009).
 */
export function normaliseDataToValidate(given: DataToValidate): DataToValidate {
  const pixKeyType = given.pixKeyType ?? detectPixKeyType(given.pixKey ?? "") ?? null;
  const { email: _, ...data } = normaliseDestination({ ...given, pixKeyType, email: null });
  const validation = normaliseTaxId(given.pixKeyValidation ?? "") || null;
  return { ...data, pixKeyValidation: validation && isObfuscatedTaxId(validation) ? null : validation };
}

export const isByKey = ({ pixKeyType, pixKey }: Pick<DataToValidate, "pixKeyType" | "pixKey">): boolean =>
  pixKeyType !== null || pixKey !== null;

/** A bank's account format: the usual lengths, and the permitted characters of its digits (VAL-007). */
export interface AccountShape {
  agencyMax: number;
  accountMax: number;
  agencyDigit: string;
  accountDigit: string;
}

/** The minimum requirement for a bank without a certain account format (ruling D14). */
const generalShape: AccountShape = {
  agencyMax: 4,
  accountMax: 12,
  agencyDigit: "0-9A-Z",
  accountDigit: "0-9A-Z",
};

const numbersOnly = { agencyDigit: "0-9", accountDigit: "0-9" };
const shapes: Readonly<Record<string, AccountShape>> = {
  "001": { agencyMax: 4, accountMax: 8, agencyDigit: "0-9X", accountDigit: "0-9X" },
  "033": { agencyMax: 4, accountMax: 8, ...numbersOnly },
  // People write its agencies with their two own digits too.
  "041": { agencyMax: 6, accountMax: 9, ...numbersOnly },
  // A product of 4 digits and an account of 9, by the new numbering of 2023.
  "104": { agencyMax: 4, accountMax: 13, ...numbersOnly },
  "197": { ...generalShape, accountMax: 13 },
  "237": { agencyMax: 4, accountMax: 7, agencyDigit: "0-9P", accountDigit: "0-9P" },
  "260": { agencyMax: 4, accountMax: 13, ...numbersOnly },
  "341": { agencyMax: 4, accountMax: 5, ...numbersOnly },
};

export const accountShapeOf = (bankCode: string | null): AccountShape =>
  shapes[bankCode ?? ""] ?? generalShape;

/** Returns `números, ou X`: the form's name for the permitted characters of a digit. */
function signsText(signs: string): string {
  const letters = signs.replace("0-9", "");
  if (letters === "") return "um número";
  return letters === "A-Z" ? "um número ou uma letra" : `um número ou ${letters}`;
}

const threeLetters = /\p{L}\P{L}*\p{L}\P{L}*\p{L}/u;
const digitsOnly = /^\d+$/;
const leadingZeros = /^0+(?=\d)/;

const error = (
  code: ValidationErrorCode,
  field: ValidationField,
  more: Pick<ValidationError, "data" | "suggestion"> = {},
): ValidationError => ({ code, field, ...more });

/** Returns the reasons why normalised data cannot be checked at all (VAL-004 to VAL-010). */
export function problemsOfData(data: DataToValidate): ValidationError[] {
  const name = data.name !== null && !threeLetters.test(data.name) ? [error("name_too_short", "name")] : [];
  return [...(isByKey(data) ? problemsOfKey(data) : problemsOfAccount(data)), ...name];
}

function problemsOfKey({ pixKeyType, pixKey, taxId, pixKeyValidation }: DataToValidate): ValidationError[] {
  const problems: ValidationError[] = [];
  if (pixKeyProblem(pixKeyType ?? "", pixKey ?? "")) problems.push(error("pix_key_invalid", "pix_key"));
  if (taxId !== null && !isTaxId(taxId)) problems.push(error("tax_id_invalid", "cpf_cnpj"));
  if (pixKeyValidation !== null && !isTaxId(pixKeyValidation)) {
    problems.push(error("tax_id_invalid", "pix_key_validation"));
  }
  return problems;
}

function problemsOfAccount(data: DataToValidate): ValidationError[] {
  const problems: ValidationError[] = [];
  const bank = data.bankIspb === null ? undefined : findBankByIspb(data.bankIspb);
  const shape = accountShapeOf(bank?.code ?? null);
  if (!bank) problems.push(error("bank_missing", "bank"));
  if (data.accountType === null || !isAccountType(data.accountType)) {
    problems.push(error("account_type_missing", "account_type"));
  }
  const number = (
    text: string | null,
    field: "agency" | "account",
    max: number,
    codes: [ValidationErrorCode, ValidationErrorCode],
  ) => {
    const digits = (text ?? "").replace(leadingZeros, "");
    if (!digitsOnly.test(digits)) problems.push(error(codes[0], field));
    else if (digits.length > max) problems.push(error(codes[1], field, { data: { max } }));
  };
  const isDigit = (text: string, signs: string) => new RegExp(`^[${signs}]$`).test(text);

  number(data.agency, "agency", shape.agencyMax, ["agency_invalid", "agency_too_long"]);
  if (data.agencyDigit !== null && !isDigit(data.agencyDigit, shape.agencyDigit)) {
    const signs = signsText(shape.agencyDigit);
    problems.push(error("agency_digit_shape", "agency_digit", { data: { signs } }));
  }
  number(data.account, "account", shape.accountMax, ["account_invalid", "account_too_long"]);
  if (!isDigit(data.accountDigit ?? "", shape.accountDigit)) {
    const signs = signsText(shape.accountDigit);
    problems.push(error("account_digit_shape", "account_digit", { data: { signs } }));
  }
  if (!isTaxId(data.taxId ?? "")) problems.push(error("tax_id_invalid", "cpf_cnpj"));
  return problems;
}

export interface ValidationFacts {
  blocked: (taxId: string) => boolean;
  publicEntityNeedsCaixa: boolean;
}

/** Returns the required holder of a key. Beside a key, the document is its holder's, whichever field it came in. */
export const holderOf = ({ taxId, pixKeyValidation }: DataToValidate): string | null =>
  pixKeyValidation ?? taxId;

const isDocumentKey = ({ pixKeyType }: Pick<DataToValidate, "pixKeyType">): boolean =>
  pixKeyType === "CPF" || pixKeyType === "CNPJ";

/**
 * Checks that the holder is unique: a key that is a document has one possible holder, and two documents must be equal.
 */
function checkHolder({ pixKey, taxId, pixKeyValidation, ...data }: DataToValidate): ValidationError[] {
  const given = [
    ["pix_key_validation", pixKeyValidation],
    ["cpf_cnpj", taxId],
  ] as const;
  const holder = isDocumentKey(data) ? pixKey : pixKeyValidation;
  return given.flatMap(([field, document]) =>
    holder !== null && document !== null && document !== holder ? [error("pix_key_of_another", field)] : [],
  );
}

/**
 * Returns the performed and the omitted checks of a validation without errors (VAL-018 says "corretos" of the performed
 * ones only). A micro deposit that arrived proves what the other bank compares: the account and, where given, its
 * holder's document.
 */
export function scopeOfValidation(
  type: ValidationType,
  data: DataToValidate,
): { checked: ValidationCheck[]; notChecked: ValidationCheck[] } {
  const isDeposit = type === "MICRO_DEPOSIT";
  const holder = holderOf(data);
  const looked: Partial<Record<ValidationCheck, boolean>> = isByKey(data)
    ? {
        pix_key_form: true,
        ...(holder !== null && { tax_id_digits: true }),
        pix_key_exists: true,
        pix_key_holder: holder !== null || isDocumentKey(data),
      }
    : {
        tax_id_digits: true,
        account_form: true,
        account_digit: hasCertainDigits({
          bankCode: findBankByIspb(data.bankIspb ?? "")?.code ?? null,
          agency: data.agency ?? "",
          account: data.account ?? "",
        }),
        account_exists: isDeposit,
        account_holder: isDeposit,
      };
  const all = Object.entries({ ...looked, ...(data.name !== null && { name: false }) });
  const those = (wanted: boolean) =>
    all.filter(([, was]) => was === wanted).map(([check]) => check as ValidationCheck);
  return { checked: those(true), notChecked: those(false) };
}

/** Checks data by our own rules; only data that passes is sent to an outside party. */
export function checkData(data: DataToValidate, facts: ValidationFacts): ValidationError[] {
  const errors = isByKey(data) ? checkHolder(data) : checkAccount(data, facts);
  if (data.taxId !== null && facts.blocked(data.taxId)) errors.push(error("tax_id_blocked", "cpf_cnpj"));
  if (isDocumentKey(data) && facts.blocked(data.pixKey ?? ""))
    errors.push(error("tax_id_blocked", "pix_key"));
  if (data.pixKeyValidation !== null && facts.blocked(data.pixKeyValidation)) {
    errors.push(error("tax_id_blocked", "pix_key_validation"));
  }
  return errors;
}

/** Account rules shared with payments, in the texts of a validation. Rules that only warn are omitted. */
const ofIssue: Readonly<Partial<Record<Issue["code"], readonly [ValidationErrorCode, ValidationField]>>> = {
  agency_invalid: ["agency_invalid", "agency"],
  agency_length_invalid: ["agency_invalid", "agency"],
  agency_digit_invalid: ["agency_digit_wrong", "agency_digit"],
  account_invalid: ["account_invalid", "account"],
  account_length_invalid: ["account_invalid", "account"],
  account_digit_missing: ["account_digit_wrong", "account_digit"],
  account_digit_invalid: ["account_digit_wrong", "account_digit"],
  account_type_invalid: ["account_type_missing", "account_type"],
  public_entity_invalid: ["public_entity_invalid", "account_type"],
};

function checkAccount(data: DataToValidate, facts: ValidationFacts): ValidationError[] {
  const account: BankAccount = {
    bankCode: findBankByIspb(data.bankIspb ?? "")?.code ?? null,
    agency: data.agency ?? "",
    agencyDigit: data.agencyDigit ?? "",
    account: data.account ?? "",
    accountDigit: data.accountDigit ?? "",
  };
  return checkBankAccount(
    { ...account, accountType: data.accountType, taxId: data.taxId ?? "" },
    facts.publicEntityNeedsCaixa,
  ).flatMap((issue) => {
    const known = ofIssue[issue.code];
    const more = issue.suggestion ? { suggestion: suggestionOf(issue.suggestion) } : {};
    return known ? [error(...known, more)] : [];
  });
}

/**
 * Returns the suggestion. An agency's digit is not among the fields of a suggestion (VAL-016), so it becomes a text for
 * its own field.
 */
function suggestionOf({ agency_digit: agencyDigit, ...named }: Record<string, string>): Suggestion {
  return agencyDigit ?? named;
}

/** The Pix directory's answer about a key. */
export type KeyFacts =
  | { found: false }
  | {
      found: true;
      isSalaryAccount: boolean;
      /** True when its owner has the given document; null when none was given. */
      isOfTaxId: boolean | null;
    };

/** Returns the errors of a key. `asked`: the field in which the holder's document was given. */
export function errorsOfKey(
  key: KeyFacts,
  asked: "pix_key_validation" | "cpf_cnpj" = "pix_key_validation",
): ValidationError[] {
  if (!key.found) return [error("pix_key_not_found", "pix_key")];
  if (key.isSalaryAccount) return [error("pix_key_salary_account", "pix_key")];
  return key.isOfTaxId === false ? [error("pix_key_of_another", asked)] : [];
}

/**
 * Returns the method of a micro deposit: a Pix by the account's numbers arrives in a second at any hour, and one to an
 * account of ours never leaves the installation.
 */
export function microDepositMethod(
  data: Pick<DataToValidate, "bankIspb" | "pixKeyType" | "pixKey">,
): TransferMethod {
  return !isByKey(data) && data.bankIspb === ownInstitution().ispb ? "TEV" : "PIX";
}

/** Banks' texts for a refused credit, reduced to the words that distinguish the cases. The first match counts. */
const refusals: readonly (readonly [RegExp, ValidationErrorCode, ValidationField, Suggestion?])[] = [
  [/somente conta poupan/i, "account_only_savings", "account_type", { account_type: "CONTA_POUPANCA" }],
  [/chave .*n[ãa]o encontrada/i, "pix_key_not_found", "pix_key"],
  [/conta sal[áa]rio/i, "pix_key_salary_account", "pix_key"],
  [/titular da chave/i, "pix_key_of_another", "pix_key_validation"],
  [/titular da conta/i, "account_of_another", "cpf_cnpj"],
  [/n[ãa]o encontrada/i, "account_not_found", "account"],
  [/encerrada/i, "account_closed", "account"],
  [/bloqueada/i, "account_blocked", "account"],
  [/sem limite/i, "account_full", "account"],
  [/n[ãa]o permitido/i, "account_refuses", "account"],
  [/indispon[íi]vel|n[ãa]o conseguimos enviar/i, "bank_unreachable", "bank"],
];

/** Returns the error of a returned micro deposit: in our words where the bank's text is known, else in the bank's. */
export function errorOfRefusal(
  reason: string | null,
  data: Pick<DataToValidate, "pixKeyType" | "pixKey">,
): ValidationError {
  const found = refusals.find(([words]) => words.test(reason ?? ""));
  const own = isByKey(data) ? "pix_key" : "account";
  if (!found) return error("refused_by_bank", own, { data: { reason: reason ?? "sem motivo informado" } });
  const [, code, field, suggestion] = found;
  // Beside a key there is neither an account nor a bank to mark.
  const isThere = isByKey(data) ? field.startsWith("pix_key") : !field.startsWith("pix_key");
  return error(code, isThere ? field : own, suggestion && !isByKey(data) ? { suggestion } : {});
}
