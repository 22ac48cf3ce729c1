import { removeAccents } from "@malote/domain/fold-text";
import { removeFormulaGuard } from "./formula-guard.ts";
import { outsideModelText, SheetRefusal } from "./refusal.ts";
import type { SheetRow } from "./sheet-row.ts";

export type SheetKind = "transfer" | "transfer-pix" | "billet";

export type SheetField =
  | "name"
  | "taxId"
  | "email"
  | "bank"
  | "agency"
  | "agencyDigit"
  | "account"
  | "accountDigit"
  | "accountType"
  | "value"
  | "integrationId"
  | "paymentDate"
  | "pixDescription"
  | "pixKeyType"
  | "pixKey"
  | "pixKeyValidation"
  | "barcode"
  | "description";

/** The headings of the model sheets (decision 16). `Documento da chave` is known but in no model. */
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

/** What a column 'Motivo' of our own file of bad rows is called. It is never read. */
export const reasonHeading = "Motivo";

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
  accountType: ["tipo de conta", "tipo conta", "tipo da conta", "tipo de conta corrente ou poupanca"],
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
    "pagar em",
    "agendar para",
  ],
  pixDescription: [
    "descricao pix",
    "descricao do pix",
    "mensagem",
    "mensagem pix",
    "mensagem do pix",
    "descricao para o recebedor",
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
    "boleto",
    "numero do boleto",
  ],
  description: ["descricao"],
};

const fieldOfWords = new Map<string, SheetField>();
for (const field of Object.keys(words) as SheetField[]) {
  for (const word of words[field]) fieldOfWords.set(word, field);
}

/** Two columns that both name the amount could pay the wrong one, however clear one of the names looks. */
const neverTwice: SheetField = "value";
const longestHeading = 80;

export interface SheetHeadings {
  kind: SheetKind;
  /** The row the headings stand in. */
  sheetRow: number;
  /** As written, for the file of bad rows. */
  texts: string[];
  /** Where each known field stands. */
  columnOf: Partial<Record<SheetField, number>>;
}

/** Without accents, case, signs and remarks in brackets: `CPF/CNPJ (obrigatório)*` is `cpf cnpj`. */
export function foldHeading(text: string): string {
  if (text.length > longestHeading) return "";
  return removeAccents(text.trim().replace(/\([^)]*\)/g, " "))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

/** How many known fields the best of these rows names: 0 or 1 is no heading row. */
export function countKnownHeadings(rows: readonly SheetRow[]): number {
  let best = 0;
  for (const row of rows) best = Math.max(best, Object.keys(readColumns(row.texts).columnOf).length);
  return best < 2 ? 0 : best;
}

/**
 * The first row that fits a model. Undefined when no row looks like headings at all, so that another tab may be tried;
 * a row that looks like headings but lacks some, or names one twice, is refused with the text of IMP-010.
 */
export function findHeadings(rows: readonly SheetRow[]): SheetHeadings | undefined {
  let nearest: { columns: ReturnType<typeof readColumns>; known: number } | undefined;
  for (const row of rows) {
    const columns = readColumns(row.texts);
    const known = Object.keys(columns.columnOf).length;
    if (known < 2) continue;
    const kind = kindOf(columns.columnOf);
    if (columns.twice === undefined && missingOf(kind, columns.columnOf).length === 0) {
      return {
        kind,
        sheetRow: row.sheetRow,
        // A heading of their own that begins like a formula was guarded in a file of ours.
        texts: row.texts.map((text) => removeFormulaGuard(text.trim())),
        columnOf: columns.columnOf,
      };
    }
    if (nearest === undefined || known > nearest.known) nearest = { columns, known };
  }
  if (nearest === undefined) return undefined;
  throw refusalOf(nearest.columns);
}

interface Columns {
  columnOf: Partial<Record<SheetField, number>>;
  /** A field that two columns name. */
  twice: SheetField | undefined;
}

function readColumns(texts: readonly string[]): Columns {
  const columnOf: Partial<Record<SheetField, number>> = {};
  const isModelName = new Set<SheetField>();
  let twice: SheetField | undefined;
  let previous: SheetField | undefined;
  for (const [column, text] of texts.entries()) {
    const folded = foldHeading(text);
    const field = fieldOfWords.get(folded) ?? digitBeside(folded, previous);
    previous = field;
    if (field === undefined) continue;
    const exact = folded === foldHeading(headingOf[field]);
    if (columnOf[field] === undefined) {
      columnOf[field] = column;
      if (exact) isModelName.add(field);
    } else if (field === neverTwice || exact === isModelName.has(field)) {
      twice = field;
    } else if (exact) {
      columnOf[field] = column;
      isModelName.add(field);
    }
  }
  // A transfer sheet's plain 'Descrição' means its only description.
  if (
    columnOf.barcode === undefined &&
    columnOf.pixDescription === undefined &&
    columnOf.description !== undefined
  ) {
    columnOf.pixDescription = columnOf.description;
    delete columnOf.description;
  }
  return { columnOf, twice };
}

/** A column called only 'Dígito' belongs to the column before it. */
function digitBeside(folded: string, previous: SheetField | undefined): SheetField | undefined {
  if (!/^(digito|dv|dig|digito verificador)$/.test(folded)) return undefined;
  if (previous === "agency") return "agencyDigit";
  return previous === "account" ? "accountDigit" : undefined;
}

function kindOf(columnOf: Columns["columnOf"]): SheetKind {
  if (columnOf.barcode !== undefined) return "billet";
  return columnOf.pixKey !== undefined || columnOf.pixKeyType !== undefined ? "transfer-pix" : "transfer";
}

/** What a payment cannot do without. The digit of the account may stand in the account's own cell. */
const required: Record<SheetKind, readonly SheetField[]> = {
  transfer: ["name", "taxId", "bank", "agency", "account", "accountType", "value"],
  "transfer-pix": ["pixKey", "value"],
  billet: ["barcode", "value"],
};

function missingOf(kind: SheetKind, columnOf: Columns["columnOf"]): string[] {
  return required[kind].filter((field) => columnOf[field] === undefined).map((field) => headingOf[field]);
}

function refusalOf({ columnOf, twice }: Columns): SheetRefusal {
  const missing = missingOf(kindOf(columnOf), columnOf);
  if (missing.length > 0) {
    const which = missing.length === 1 ? "Falta a coluna" : "Faltam as colunas";
    return new SheetRefusal(
      "sheet_wrong_headings",
      `${outsideModelText} ${which}: ${missing.join(", ")}.`,
      missing,
    );
  }
  const repeated = twice === undefined ? "" : ` A coluna ${headingOf[twice]} aparece mais de uma vez.`;
  return new SheetRefusal("sheet_wrong_headings", `${outsideModelText}${repeated}`);
}
