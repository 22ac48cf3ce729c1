import { type Cents, formatBrl } from "./money.ts";

/** An error keeps the payment from being sent; a warning is shown and does not block. */
export type Severity = "error" | "warning";

type Data = Readonly<Record<string, string | number>>;
type Text = string | ((data: Data) => string);

/** `text` is shown in the error list of a card; `form` under the field, where it differs. */
type Entry = { severity: Severity; text: Text; form?: string };

const error = (text: Text, form?: string): Entry => ({ severity: "error", text, ...(form && { form }) });
const warning = (text: Text, form?: string): Entry => ({
  severity: "warning",
  text,
  ...(form && { form }),
});

const badAccount = "Conta bancária inválida";
const badKeyInForm = "A chave Pix deve ser válida";

/** Every error and warning of a payment, with its exact text. */
const table = {
  pix_key_cpf_invalid: error("CPF inválido", badKeyInForm),
  pix_key_cnpj_invalid: error("CNPJ inválido", badKeyInForm),
  pix_key_email_invalid: error("E-mail inválido", badKeyInForm),
  pix_key_phone_invalid: error("Telefone inválido", badKeyInForm),
  pix_key_invalid: error("Chave PIX inválida", badKeyInForm),
  pix_key_validation_invalid: error("O CPF/CNPJ para validação deve ser válido"),

  name_invalid: error(badAccount, "O nome deve ter no mínimo 3 letras"),
  tax_id_invalid: error(badAccount, "O CPF/CNPJ deve ser válido"),
  tax_id_blocked: error("CPF ou CNPJ bloqueado"),
  email_invalid: error("E-mail inválido"),
  bank_missing: error(badAccount, "Informe o banco"),
  account_type_invalid: error(badAccount, "Informe o tipo de conta"),
  public_entity_invalid: error("Entidade pública inválida"),

  agency_invalid: error(badAccount, "Informe a agência, somente números"),
  agency_length_invalid: error(badAccount, "A agência não tem o tamanho usado por este banco"),
  agency_digit_invalid: error("Dígito da agência inválido"),
  account_invalid: error(badAccount, "Informe a conta, somente números"),
  account_length_invalid: error(badAccount, "A conta não tem o tamanho usado por este banco"),
  account_digit_missing: error("Dígito da conta é obrigatório"),
  account_digit_invalid: error("Conta ou dígito da conta inválido"),

  agency_unusual: warning("Confira a agência: ela não é comum neste banco"),
  account_unusual: warning("Confira a conta: o tamanho não é comum neste banco"),
  account_digit_unusual: warning("Confira o dígito da conta"),

  value_invalid: error("Valor inválido"),
  value_above_max: error((data) => `O valor máximo é ${formatBrl(data.max as Cents)}`),
  payment_date_invalid: error("Data de pagamento inválida"),
  payment_date_expired: error("Data de pagamento inválida", "A data do agendamento já passou"),
  payment_date_too_far: error("Data de pagamento inválida", "Escolha uma data dentro de um ano"),
  payment_time_expired: error(
    "Data de pagamento inválida",
    "O horário limite de TED para hoje, 16h30, já passou",
  ),
  ted_next_business_day: warning((data) => `A TED será feita no próximo dia útil, ${data.date}`),

  pix_description_too_long: error("Tamanho máximo do campo é 140 caracteres"),
  pix_description_unsafe: error("Descrição Pix não permite código html inseguro"),
  pix_description_characters: error("Descrição Pix contém caracteres inválidos"),

  billet_code_invalid: error("A linha digitável do boleto está incorreta, insira novamente"),
  billet_duplicated: error("Este boleto já foi cadastrado."),
  billet_overdue: error((data) => `Este boleto venceu em ${data.date}`),
  billet_paid_after_due: error(
    "Data de pagamento inválida",
    "Escolha uma data até o vencimento; o boleto seria pago depois dele",
  ),
  billet_next_business_day: warning((data) => `O boleto será pago no próximo dia útil, ${data.date}`),
  billet_cell_invalid: error("Boleto inválido", "A planilha tinha um erro nesta célula. Preencha de novo"),
  billet_description_missing: error("O campo não pode ser vazio"),
  billet_description_too_long: error((data) => `Tamanho máximo do campo é ${data.max} caracteres`),

  billet_overdue_charged: warning(
    (data) =>
      `Vencido há ${data.days === 1 ? "1 dia" : `${data.days} dias`}: o registro pede ${formatBrl(data.total as Cents)}, com juros e multa`,
  ),
  billet_overdue_free: warning(
    (data) =>
      `Vencido há ${data.days === 1 ? "1 dia" : `${data.days} dias`}: pode ser pago sem encargos até ${data.until}`,
  ),
  billet_amount_changed: error(
    (data) => `O valor deste boleto passou a ${formatBrl(data.total as Cents)}. Abra e salve de novo`,
  ),
  billet_register_paid: warning("O registro informa que este boleto já foi pago"),
  billet_register_unpayable: warning("O registro informa que este boleto já não pode ser pago"),
  billet_register_unknown: warning("Este boleto não está registrado"),

  qr_invalid: error("Código Pix inválido", "Cole o código inteiro, do Pix copia e cola ou do QR Code"),
  qr_check_sum: error(
    "Código Pix inválido",
    "O código está incompleto ou foi alterado. Copie e cole de novo",
  ),
  qr_currency: error("Código Pix inválido", "Este código não é em reais e não pode ser pago"),
  qr_country: error("Código Pix inválido", "Este código não é do Brasil e não pode ser pago"),
  qr_not_pix: error("Código Pix inválido", "Este código não é de um Pix"),
  qr_unread: error(
    "Código Pix não consultado",
    "A cobrança deste código não pôde ser consultada agora. Salve de novo em alguns instantes",
  ),
  qr_paid: error("Cobrança Pix já paga", "A cobrança deste código já foi paga"),
  qr_removed: error("Cobrança Pix cancelada", "Quem cobra cancelou este código. Peça um novo"),
  qr_expired: error("Código Pix vencido", "O prazo deste código já terminou. Peça um novo"),
  qr_expired_by_then: error("Data de pagamento inválida", "Escolha uma data dentro do prazo do código Pix"),
  qr_duplicated: error(
    "Cobrança Pix já cadastrada",
    "Esta cobrança já está em outro pagamento. Exclua um dos dois",
  ),
  qr_value_fixed: error((data) => `O valor deste código Pix é ${formatBrl(data.value as Cents)}`),

  integration_id_too_long: error((data) => `Tamanho máximo do campo é ${data.max} caracteres`),
  integration_id_duplicated: warning("ID de integração já usado em outro pagamento"),
  method_suspended: error(
    (data) => `A função "${data.function}" está suspensa. Pague de outra forma ou fale com o suporte`,
  ),
  transfer_invalid: error("Transferência inválida"),
} as const satisfies Record<string, Entry>;

export type IssueCode = keyof typeof table;
export const issueCodes = Object.keys(table) as IssueCode[];

/** `field` and the keys of `suggestion` are the wire names of the requirements (`cpf_cnpj`, `agency_digit` …). */
export type Issue = {
  code: IssueCode;
  field: string;
  data?: Record<string, string | number>;
  suggestion?: Record<string, string>;
};

export function severityOf(issue: Pick<Issue, "code">): Severity {
  return hasText(issue) ? table[issue.code].severity : "error";
}

/** Returns whether the code has a text; a server newer than the screen may send unknown codes. */
export const hasText = (issue: Pick<Issue, "code">): boolean => Object.hasOwn(table, issue.code);

/** The form's text for an unknown code. */
const formDefaultText = "Dados incorretos";

/** Returns the text of a card's error list. */
export function issueText(issue: Pick<Issue, "code" | "data">): string {
  if (!hasText(issue)) return formDefaultText;
  const { text }: Entry = table[issue.code];
  return typeof text === "string" ? text : text(issue.data ?? {});
}

/** Returns the text under a form's field. */
export function issueFormText(issue: Pick<Issue, "code" | "data">): string {
  if (!hasText(issue)) return formDefaultText;
  const { form }: Entry = table[issue.code];
  return form ?? issueText(issue);
}

/** Texts that name the wrong field, where the list text names the whole account or is a sentence. */
const fieldTexts: Partial<Record<IssueCode, string>> = {
  name_invalid: "Nome inválido",
  bank_missing: "Banco não informado",
  account_type_invalid: "Tipo de conta inválido",
  agency_invalid: "Agência inválida",
  agency_length_invalid: "Agência inválida",
  account_invalid: "Conta inválida",
  account_length_invalid: "Conta inválida",
  account_digit_missing: "Falta o dígito da conta",
  account_digit_invalid: "Dígito da conta inválido",
  pix_key_validation_invalid: "CPF/CNPJ inválido",
  value_above_max: "Valor acima do limite",
  pix_description_too_long: "Descrição longa demais",
  pix_description_unsafe: "Descrição inválida",
  pix_description_characters: "Descrição inválida",
  integration_id_too_long: "ID longo demais",
  payment_date_invalid: "Data inválida",
  payment_date_expired: "Data já passou",
  payment_date_too_far: "Data distante demais",
  payment_time_expired: "Horário já passou",
  method_suspended: "Função suspensa",
};

/** Returns the short text of a row's pill, which names the wrong field. `taxId` is the document as entered. */
export function issueFieldText(issue: Pick<Issue, "code" | "data">, taxId: string | null): string {
  if (issue.code !== "tax_id_invalid") return fieldTexts[issue.code] ?? issueText(issue);
  const { length } = (taxId ?? "").replace(/[^0-9A-Za-z]/g, "");
  if (length === 0) return "CPF/CNPJ não informado";
  return length > 11 ? "CNPJ inválido" : "CPF inválido";
}

/**
 * Returns the sentence under a row's name: the error and its field. It names the account, except for a payment by key,
 * which has none (TRF-028).
 */
export function issueSentence(issue: Pick<Issue, "code" | "data">, isByKey: boolean): string {
  const text = issueText(issue);
  const form = issueFormText(issue);
  if (form === text) return text;
  return text === badAccount && isByKey ? form : `${text}: ${form}`;
}

/**
 * Returns the text in an import's list and in the 'Motivo' column: the list text and, where it is too general, the
 * detail. A payment by key has no account to name (TRF-028).
 */
export function issueSheetText(issue: Pick<Issue, "code" | "data">, isByKey: boolean): string {
  if (issue.code === "pix_description_too_long") {
    return "A mensagem Pix deve ter no máximo 140 caracteres por transação";
  }
  const text = issueText(issue);
  const form = issueFormText(issue);
  if (form === text || form === badKeyInForm) return text;
  return text === badAccount && isByKey ? form : `${text} (${form})`;
}
