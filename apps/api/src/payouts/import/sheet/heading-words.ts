/** Names of columns, in our model sheets and in other sheets. */
import type { SheetField } from "@malote/contracts/import";
import { removeAccents } from "@malote/domain/fold-text";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";

/** Headings of the model sheets (ruling D16). `Documento da chave` is recognised but is in no model. */
export const headingOf: Record<SheetField, string> = {
  name: "Nome ou Razão Social",
  taxId: "CPF ou CNPJ",
  email: "Email (opcional)",
  bank: "Banco",
  agency: "Agência",
  agencyDigit: "Dígito da agência",
  account: "Conta",
  accountDigit: "Dígito da conta",
  accountType: "Tipo de Conta (Corrente ou Poupança)",
  value: "Valor",
  integrationId: "ID integração (opcional)",
  paymentDate: "Data de agendamento (opcional)",
  pixDescription: "Descrição Pix (opcional)",
  pixKeyType: "Tipo de chave Pix",
  pixKey: "Chave Pix",
  pixKeyValidation: "Documento da chave",
  barcode: "Linha digitável ou código de barras",
  description: "Descrição",
};

/** Heading of the reasons in our own file of bad rows. The import never reads this column. */
export const reasonHeading = "Motivo";

/** Names of a column with due dates. */
const due = [
  "vencimento",
  "data de vencimento",
  "data do vencimento",
  "data vencimento",
  "data vcto",
  "data venc",
  "dt vencimento",
  "dt vcto",
  "dt venc",
  "vencto",
  "vcto",
  "venc",
];
export const dueWords: ReadonlySet<string> = new Set(due);

const words: Record<SheetField, readonly string[]> = {
  name: [
    "nome ou razao social",
    "nome",
    "nome completo",
    "nome do favorecido",
    "nome do beneficiario",
    "nome razao social",
    "nome e razao social",
    "favorecido",
    "beneficiario",
    "recebedor",
    "razao social",
    "fornecedor",
    "titular",
  ],
  taxId: [
    "cpf ou cnpj",
    "cpf",
    "cnpj",
    "cpf cnpj",
    "cnpj cpf",
    "cpf e cnpj",
    "cnpj ou cpf",
    "documento",
    "doc",
    "cpf cnpj do favorecido",
    "cpf do favorecido",
    "cpf cnpj do beneficiario",
    "documento do favorecido",
    "documento do beneficiario",
    "inscricao",
  ],
  email: ["email", "e mail", "mail", "correio eletronico", "email do favorecido", "e mail do favorecido"],
  bank: [
    "banco",
    "cod banco",
    "codigo banco",
    "codigo do banco",
    "cod do banco",
    "numero do banco",
    "n banco",
    "no banco",
    "nome do banco",
    "instituicao",
    "instituicao financeira",
    "banco destino",
    "ispb",
  ],
  agency: [
    "agencia",
    "ag",
    "agencia sem digito",
    "numero da agencia",
    "n agencia",
    "cod agencia",
    "codigo da agencia",
  ],
  agencyDigit: [
    "digito da agencia",
    "digito agencia",
    "dv agencia",
    "dv da agencia",
    "dig agencia",
    "dig ag",
    "dv ag",
    "digito verificador da agencia",
  ],
  account: [
    "conta",
    "conta corrente",
    "c c",
    "cc",
    "numero da conta",
    "n conta",
    "conta com digito",
    "conta e digito",
    "conta digito",
    "conta bancaria",
    "conta sem digito",
    "numero conta",
  ],
  accountDigit: [
    "digito da conta",
    "digito conta",
    "dv conta",
    "dv da conta",
    "dig conta",
    "dv c c",
    "dv cc",
    "digito verificador da conta",
    "digito c c",
  ],
  accountType: [
    "tipo de conta",
    "tipo conta",
    "tipo da conta",
    "tipo de conta corrente ou poupanca",
    "tipo de conta bancaria",
    "corrente ou poupanca",
    "corrente poupanca",
    "tp conta",
    "tipo cta",
    "tipo de cta",
  ],
  value: [
    "valor",
    "valor r",
    "valor rs",
    "valor a pagar",
    "valor em reais",
    "valor do pagamento",
    "valor pagamento",
    "quantia",
    "valor pix",
    "valor da transferencia",
    "valor do boleto",
    "valor total",
    "valor liquido",
    "valor pgto",
    "vlr",
    "vlr a pagar",
  ],
  integrationId: [
    "id integracao",
    "id de integracao",
    "id da integracao",
    "id",
    "codigo de integracao",
    "integracao",
    "identificador",
    "integration id",
    "seu numero",
    "id interno",
  ],
  paymentDate: [
    "data de agendamento",
    "data agendamento",
    "data do agendamento",
    "agendamento",
    "data de pagamento",
    "data pagamento",
    "data do pagamento",
    "data",
    "dt pagamento",
    "data de pgto",
    "data do pgto",
    "data pgto",
    "dt pgto",
    "data para pagamento",
    "data prevista",
    "data programada",
    "previsao de pagamento",
    "pagar em",
    "agendar para",
    ...due,
  ],
  pixDescription: [
    "descricao pix",
    "descricao do pix",
    "mensagem",
    "mensagem pix",
    "mensagem do pix",
    "descricao para o recebedor",
    "obs",
    "observacao",
    "observacoes",
    "historico",
    "finalidade",
    "referencia",
    "referente a",
    "nota fiscal",
    "numero da nota",
    "nota",
    "nf",
    "nfe",
    "nf e",
    "n nf",
  ],
  pixKeyType: [
    "tipo de chave pix",
    "tipo chave",
    "tipo de chave",
    "tipo da chave",
    "tipo chave pix",
    "tipo da chave pix",
    "tipo pix",
  ],
  pixKey: ["chave pix", "chave", "pix", "chave do pix", "chave pix do favorecido"],
  pixKeyValidation: [
    "documento da chave",
    "cpf cnpj da chave",
    "cpf ou cnpj da chave",
    "documento do dono da chave",
  ],
  barcode: [
    "linha digitavel ou codigo de barras",
    "codigo de barras",
    "codigo barras",
    "cod barras",
    "cod de barras",
    "linha digitavel",
    "codigo de barras ou linha digitavel",
    "linha digitavel codigo de barras",
    "codigo de barras ou linha digitavel do boleto",
    "codigo de barras linha digitavel",
    "codigo de barra",
    "linha digitavel do boleto",
    "codigo do boleto",
    "boleto",
    "boletos",
    "numero do boleto",
  ],
  description: ["descricao"],
};

const fieldOfWords = new Map<string, SheetField>();
for (const field of Object.keys(words) as SheetField[]) {
  for (const word of words[field]) fieldOfWords.set(word, field);
}
const longestHeading = 80;

/** Removes accents, case, punctuation and remarks in brackets: `CPF/CNPJ (obrigatório)*` becomes `cpf cnpj`. */
export function foldHeading(text: string): string {
  if (text.length > longestHeading) return "";
  return removeAccents(text.trim().replace(/\([^)]*\)/g, " "))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

/**
 * Returns how many known fields the best of these rows names; 0 when it names fewer than two, because that is no
 * heading row.
 */
export function countKnownHeadings(rows: readonly SheetRow[]): number {
  let best = 0;
  for (const row of rows) best = Math.max(best, countKnown(row));
  return best < 2 ? 0 : best;
}

/** Returns how many known fields a row names, whatever the cells below hold. */
export const countKnown = (row: SheetRow) => new Set(fieldsNamedBy(row.texts).filter(Boolean)).size;

/** Returns the field that the name of each column denotes. */
export function fieldsNamedBy(texts: readonly string[]): (SheetField | undefined)[] {
  let previous: SheetField | undefined;
  return texts.map((text) => {
    const folded = foldHeading(text);
    const field = fieldOfWords.get(folded) ?? digitBeside(folded, previous);
    previous = field;
    return field;
  });
}

/** Returns the digit field of a column called only 'Dígito', which belongs to the column before it. */
function digitBeside(folded: string, previous: SheetField | undefined): SheetField | undefined {
  if (!/^(digito|dv|dig|digito verificador)$/.test(folded)) return undefined;
  if (previous === "agency") return "agencyDigit";
  return previous === "account" ? "accountDigit" : undefined;
}
