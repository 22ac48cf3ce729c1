import { type Cents, formatBrl } from "./money.ts";

/** An error keeps the payment from being sent; a warning is shown and does not block. */
export type Severity = "error" | "warning";

type Data = Readonly<Record<string, string | number>>;
type Text = string | ((data: Data) => string);

/** `text` stands in the error list of a card; `form` stands under the field, where it differs. */
type Entry = { severity: Severity; text: Text; form?: string };

const error = (text: Text, form?: string): Entry => ({ severity: "error", text, ...(form && { form }) });
const warning = (text: Text, form?: string): Entry => ({
  severity: "warning",
  text,
  ...(form && { form }),
});

const badAccount = "Conta bancária inválida";
const badKeyInForm = "A chave Pix deve ser válida";

/** Every complaint about a payment, once, with its exact words. */
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

  integration_id_too_long: error((data) => `Tamanho máximo do campo é ${data.max} caracteres`),
  integration_id_duplicated: warning("ID de integração já usado em outro pagamento"),
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
  return table[issue.code].severity;
}

/** What a form shows when nothing more exact is known. */
export const formDefaultText = "Dados incorretos";

/** The words of a card's error list. */
export function issueText(issue: Pick<Issue, "code" | "data">): string {
  const { text }: Entry = table[issue.code];
  return typeof text === "string" ? text : text(issue.data ?? {});
}

/** The words under a form's field. */
export function issueFormText(issue: Pick<Issue, "code" | "data">): string {
  const { form }: Entry = table[issue.code];
  return form ?? issueText(issue);
}

/** The words in an import's list and in the 'Motivo' column: the list text and, where it says too little, the detail. */
export function issueSheetText(issue: Pick<Issue, "code" | "data">): string {
  if (issue.code === "pix_description_too_long") {
    return "A mensagem Pix deve ter no máximo 140 caracteres por transação";
  }
  const text = issueText(issue);
  const form = issueFormText(issue);
  return form === text || form === badKeyInForm ? text : `${text} (${form})`;
}
