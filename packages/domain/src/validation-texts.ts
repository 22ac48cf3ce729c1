/**
 * Every error of a validation, with its text (VAL-020): those of the form, of our own rules, and of the network's
 * answers.
 */
const table = {
  name_too_short: "O nome deve ter no mínimo 3 letras",
  tax_id_invalid: "CPF ou CNPJ inválido",
  tax_id_blocked: "O CPF ou CNPJ está bloqueado",
  pix_key_invalid: "A chave Pix deve ser válida",

  bank_missing: "Informe o banco",
  account_type_missing: "Informe o tipo de conta",
  agency_invalid: "Informe a agência, somente números",
  agency_too_long: "A agência deste banco tem no máximo {max} números",
  agency_digit_shape: "O dígito da agência tem 1 caractere: {signs}",
  account_invalid: "Informe a conta, somente números",
  account_too_long: "A conta deste banco tem no máximo {max} números",
  account_digit_shape: "O dígito da conta tem 1 caractere: {signs}",

  agency_digit_wrong: "Dígito da agência não é válido",
  account_digit_wrong: "Conta ou dígito verificador da conta inválido",
  public_entity_invalid: "Tipo de conta 'Entidades públicas' é disponível somente para CNPJ de órgão público",

  pix_key_not_found: "Chave Pix não encontrada",
  pix_key_salary_account: "A chave Pix é de uma conta salário, que não recebe Pix",
  pix_key_of_another: "O CPF ou CNPJ informado não é o do titular da chave Pix",
  account_not_found: "Conta não encontrada",
  account_closed: "A conta não existe ou foi encerrada",
  account_blocked: "A conta está bloqueada",
  account_full: "A conta está sem limite para receber créditos",
  account_refuses: "A conta não aceita créditos deste tipo",
  account_only_savings: "Conta corrente não encontrada: o titular só tem conta poupança",
  account_of_another: "O CPF ou CNPJ informado não é o do titular da conta",
  bank_unreachable: "O banco de destino não respondeu. Refaça a validação mais tarde",
  refused_by_bank: "O banco de destino recusou o depósito: {reason}",
} as const;

export type ValidationErrorCode = keyof typeof table;
export const validationErrorCodes = Object.keys(table) as ValidationErrorCode[];

/** The fields of a validation, by their names on the wire. */
export const validationFields = [
  "name",
  "cpf_cnpj",
  "bank",
  "agency",
  "agency_digit",
  "account",
  "account_digit",
  "account_type",
  "pix_key",
  "pix_key_validation",
] as const;
export type ValidationField = (typeof validationFields)[number];

export const validationFieldNames: Readonly<Record<ValidationField, string>> = {
  name: "Nome",
  cpf_cnpj: "CPF ou CNPJ",
  bank: "Banco",
  agency: "Agência",
  agency_digit: "Dígito da agência",
  account: "Conta",
  account_digit: "Dígito da conta",
  account_type: "Tipo de conta",
  pix_key: "Chave Pix",
  pix_key_validation: "CPF ou CNPJ do titular",
};

/** Fields that a suggestion may correct (VAL-016). */
export const suggestedFields = [
  "name",
  "cpf_cnpj",
  "account",
  "account_digit",
  "account_type",
  "agency",
  "pix_key",
] as const;
export type SuggestedField = (typeof suggestedFields)[number];

/** A plain text applies to the field of its own error. */
export type Suggestion = string | Partial<Record<SuggestedField, string>>;

export interface ValidationError {
  code: ValidationErrorCode;
  field: ValidationField;
  data?: Record<string, string | number>;
  suggestion?: Suggestion;
}

/** Checks of a validation, in the words after `Conferido:` or `Não conferido:`. */
export const validationCheckNames = {
  tax_id_digits: "dígitos verificadores do CPF ou CNPJ",
  account_form: "banco, tipo de conta e formato de agência e conta",
  account_digit: "dígito verificador da conta, pela regra do banco",
  account_exists: "se a conta existe e recebe créditos",
  account_holder: "se a conta é do CPF ou CNPJ informado",
  pix_key_form: "formato da chave Pix",
  pix_key_exists: "se a chave existe e recebe Pix",
  pix_key_holder: "se a chave é do CPF ou CNPJ do titular",
  name: "se o nome é o do titular",
} as const;
export type ValidationCheck = keyof typeof validationCheckNames;
export const validationChecks = Object.keys(validationCheckNames) as ValidationCheck[];

export function validationErrorText({ code, data }: Pick<ValidationError, "code" | "data">): string {
  return table[code].replace(/\{(\w+)\}/g, (_, name: string) => String(data?.[name] ?? ""));
}
