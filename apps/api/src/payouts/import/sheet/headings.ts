import { createHash } from "node:crypto";
import type { SheetField } from "@malote/contracts/import";
import { readBoletoCode } from "@malote/domain/boleto-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { removeAccents } from "@malote/domain/fold-text";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import { outsideModelText, SheetRefusal } from "./refusal.ts";

export type { SheetField };

export type SheetKind = "transfer" | "transfer-pix" | "billet";

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

/** When a bill is due. */
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
const dueWords: ReadonlySet<string> = new Set(due);

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

/** Two columns that both name the amount could pay the wrong one, however clear one of the names looks. */
const neverTwice: SheetField = "value";
const longestHeading = 80;

/** What a person said of a column: the field it holds, or null for none. By position, counted from 0. */
export type ColumnChoice = Readonly<Record<number, SheetField | null>>;

/** One column as it was understood, for the person to see and to change. */
export interface ReadColumn {
  column: number;
  heading: string;
  field: SheetField | null;
  /** What it might hold, where several columns might and a person has to say which. */
  may_be: SheetField | null;
  /** Its first cells. */
  sample: string[];
}

/** How the columns of a sheet were understood. */
export interface SheetLayout {
  /** Identifies this set of headings, so that a choice is remembered for it. */
  key: string;
  kind: SheetKind;
  columns: ReadColumn[];
}

export interface SheetHeadings {
  kind: SheetKind;
  /** The row the headings are in; 0 when the sheet has none. */
  sheetRow: number;
  /** As written, for the file of bad rows. */
  texts: string[];
  /** Where each known field is. */
  columnOf: Partial<Record<SheetField, number>>;
  layout: SheetLayout;
}

/** What is known beside the rows themselves. */
export interface HeadingHints {
  /** What the person chose for this very sheet. */
  chosen?: ColumnChoice | undefined;
  /** What people of the company chose for sheets with the same headings. */
  remembered?: Readonly<Record<string, ColumnChoice>>;
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
  for (const row of rows) best = Math.max(best, countKnown(row));
  return best < 2 ? 0 : best;
}

/** Known by their names alone, whatever the cells below hold. */
const countKnown = (row: SheetRow) => new Set(wordsOf(row.texts).filter(Boolean)).size;

const reason = foldHeading(reasonHeading);

/** The same headings in the same order, however they are written; our own column of reasons does not count. */
function keyOf(texts: readonly string[]): string {
  const folded = texts.map(foldHeading);
  while (folded.length > 0 && (folded.at(-1) === "" || folded.at(-1) === reason)) folded.pop();
  return createHash("sha256").update(folded.join("\n")).digest("hex");
}

/**
 * The first row that fits a model. Undefined when no row looks like headings at all and no column holds boletos, so that
 * another tab may be tried; a row that looks like headings but lacks some, or names one twice, is refused with the columns
 * it has, for a person to say which is which.
 */
export function findHeadings(
  rows: readonly SheetRow[],
  { chosen, remembered = {} }: HeadingHints = {},
): SheetHeadings | undefined {
  if (chosen) return headingsByChoice(rows, chosen);
  let nearest: { read: ReadHeadings; known: number } | undefined;
  for (const [at, row] of rows.entries()) {
    const known = countKnown(row);
    if (known === 0) continue;
    const read = readHeadings(row, rows.slice(at + 1), remembered[keyOf(row.texts)]);
    // One known word beside a column of boletos is a sheet of boletos; beside anything else it is a title.
    if (known < 2 && read.columnOf.barcode === undefined) continue;
    if (isWhole(read)) return headingsOf(row, read);
    if (nearest === undefined || known > nearest.known) nearest = { read, known };
  }
  if (nearest !== undefined) throw refusalOf(nearest.read);
  return withoutHeadings(rows);
}

/** The row with the most known names, else the first with two cells; a list of bare codes has none. */
function headingsByChoice(rows: readonly SheetRow[], chosen: ColumnChoice): SheetHeadings | undefined {
  const byKnown = rows.toSorted((left, right) => countKnown(right) - countKnown(left));
  const named = byKnown[0] && countKnown(byKnown[0]) > 0 ? byKnown[0] : undefined;
  const bare = named ? undefined : withoutHeadings(rows);
  const row = named ?? (bare ? bareRow(rows) : rows.find(({ texts }) => texts.filter(Boolean).length > 1));
  if (!row) return undefined;
  const below = bare ? rows : rows.slice(rows.indexOf(row) + 1);
  const read = readHeadings(row, below, chosen);
  if (!isWhole(read)) throw refusalOf(read);
  return headingsOf(row, read);
}

/** A list of boletos and nothing else: what its columns are called is not written anywhere. */
function withoutHeadings(rows: readonly SheetRow[]): SheetHeadings | undefined {
  const barcode = barcodeColumn(rows);
  if (barcode === undefined) return undefined;
  const row = bareRow(rows);
  return headingsOf(row, readHeadings(row, rows, undefined));
}

function bareRow(rows: readonly SheetRow[]): SheetRow {
  const width = Math.max(0, ...rows.map(({ texts }) => texts.length));
  const texts = Array.from({ length: width }, (_, column) => `Coluna ${column + 1}`);
  return { sheetRow: 0, hidden: false, texts, kinds: [] };
}

const headingsOf = ({ sheetRow, texts }: SheetRow, { columnOf, layout }: ReadHeadings): SheetHeadings => ({
  kind: layout.kind,
  sheetRow,
  // A heading of their own that begins like a formula was guarded in a file of ours.
  texts: texts.map((text) => removeFormulaGuard(text.trim())),
  columnOf,
  layout,
});

interface ReadHeadings {
  columnOf: Partial<Record<SheetField, number>>;
  /** A field that several columns may hold, none of which is clearly the one. */
  unclear: SheetField | undefined;
  layout: SheetLayout;
}

const isWhole = ({ columnOf, unclear, layout }: ReadHeadings) =>
  unclear === undefined && missingOf(layout.kind, columnOf).length === 0;

/** The field that each column's name alone says. */
function wordsOf(texts: readonly string[]): (SheetField | undefined)[] {
  let previous: SheetField | undefined;
  return texts.map((text) => {
    const folded = foldHeading(text);
    const field = fieldOfWords.get(folded) ?? digitBeside(folded, previous);
    previous = field;
    return field;
  });
}

function readHeadings(
  { texts }: SheetRow,
  below: readonly SheetRow[],
  choice: ColumnChoice | undefined,
): ReadHeadings {
  const named = wordsOf(texts);
  const isChosen = (column: number) => choice !== undefined && Object.hasOwn(choice, column);
  const candidates = new Map<SheetField, number[]>();
  const add = (field: SheetField | null | undefined, column: number) => {
    if (field) candidates.set(field, [...(candidates.get(field) ?? []), column]);
  };
  for (const column of texts.keys()) {
    if (!isChosen(column)) add(named[column], column);
  }
  if (!candidates.has("barcode") && !isOtherKind(candidates)) {
    const column = barcodeColumn(below);
    if (column !== undefined && !isChosen(column)) {
      for (const columns of candidates.values())
        if (columns.includes(column)) columns.splice(columns.indexOf(column), 1);
      add("barcode", column);
    }
  }
  const columnOf: Partial<Record<SheetField, number>> = {};
  for (const [column, field] of Object.entries(choice ?? {})) {
    if (!field || Number(column) >= texts.length) continue;
    columnOf[field] = Number(column);
    candidates.delete(field);
  }
  let unclear: SheetField | undefined;
  const mayBe = new Map<number, SheetField>();
  for (const [field, columns] of candidates) {
    const one =
      columns.length === 0 ? undefined : oneOf(field, columns, texts, below, candidates.has("barcode"));
    if (one !== undefined) columnOf[field] = one;
    else if (columns.length > 0) {
      unclear ??= field;
      for (const column of columns) mayBe.set(column, field);
    }
  }
  const kind = kindOf(columnOf);
  keepToKind(kind, columnOf);
  const fieldAt = new Map(Object.entries(columnOf).map(([field, column]) => [column, field as SheetField]));
  const columns = texts.flatMap((text, column) => {
    const sample = below.map((row) => row.texts[column]?.trim() ?? "").filter(Boolean);
    const heading = removeFormulaGuard(text.trim());
    // A column without a name and without cells is none, and ours of the reasons is never read.
    if ((heading === "" && sample.length === 0) || foldHeading(text) === reason) return [];
    return [
      {
        column,
        heading: heading || `Coluna ${column + 1}`,
        field: fieldAt.get(column) ?? null,
        may_be: fieldAt.has(column) ? null : (mayBe.get(column) ?? null),
        sample: sample.slice(0, samplesMax).map((cell) => cell.slice(0, sampleLengthMax)),
      },
    ];
  });
  return { columnOf, unclear, layout: { key: keyOf(texts), kind, columns } };
}

const samplesMax = 3;
const sampleLengthMax = 60;

/** A sheet that says how each is paid by account or key is none of boletos, though a column of it may hold long numbers. */
const isOtherKind = (candidates: ReadonlyMap<SheetField, number[]>) =>
  candidates.has("pixKey") ||
  (candidates.has("bank") && candidates.has("account") && candidates.has("agency"));

/** The one column of several that holds the field, when one clearly does. */
function oneOf(
  field: SheetField,
  columns: readonly number[],
  texts: readonly string[],
  below: readonly SheetRow[],
  isOfBoletos: boolean,
): number | undefined {
  if (columns.length === 1) return columns[0];
  // The code and the line that is typed say the same: the column that is filled in.
  if (field === "barcode") return barcodeColumn(below, columns) ?? columns[0];
  // Further words for the receiver are lost on nobody: the columns that are not read are named.
  if (firstIsEnough.has(field)) return columns[0];
  const folded = columns.map((column) => [column, foldHeading(texts[column] ?? "")] as const);
  // When a boleto is due is in its code.
  const candidates =
    field === "paymentDate" && isOfBoletos ? folded.filter(([, heading]) => !dueWords.has(heading)) : folded;
  if (candidates.length === 1) return candidates[0]?.[0];
  const exact = candidates.filter(([, heading]) => heading === foldHeading(headingOf[field]));
  return field !== neverTwice && exact.length === 1 ? exact[0]?.[0] : undefined;
}

const firstIsEnough: ReadonlySet<SheetField> = new Set(["description", "pixDescription"]);

const codeLengths: ReadonlySet<number> = new Set([44, 47, 48]);
/** Digits of a boleto's code or line, however they are set apart. The key of an invoice has 44 too, and is none. */
const looksLikeBoleto = (cell: string) =>
  cell.length >= 44 && codeLengths.has(cell.replace(/[\s.-]/g, "").length) && /^[\d\s.-]+$/.test(cell);

/** The column whose cells are boletos: most of its cells look like codes, and most of those are right. */
function barcodeColumn(rows: readonly SheetRow[], among?: readonly number[]): number | undefined {
  const width = Math.max(0, ...rows.map(({ texts }) => texts.length));
  let best: { column: number; right: number } | undefined;
  for (const column of among ?? Array.from({ length: width }, (_, at) => at)) {
    const cells = rows.map(({ texts }) => texts[column]?.trim() ?? "").filter(Boolean);
    const alike = cells.filter(looksLikeBoleto);
    if (alike.length === 0 || alike.length * 2 < cells.length) continue;
    // Which day the due date is counted from matters to nobody here.
    const right = alike.filter((cell) => readBoletoCode(cell, anyDay) !== undefined).length;
    if (right * 2 >= alike.length && right > (best?.right ?? 0)) best = { column, right };
  }
  return best?.column;
}
const anyDay = "2026-01-02" as CalendarDate;

/** A column called only 'Dígito' belongs to the column before it. */
function digitBeside(folded: string, previous: SheetField | undefined): SheetField | undefined {
  if (!/^(digito|dv|dig|digito verificador)$/.test(folded)) return undefined;
  if (previous === "agency") return "agencyDigit";
  return previous === "account" ? "accountDigit" : undefined;
}

function kindOf(columnOf: ReadHeadings["columnOf"]): SheetKind {
  if (columnOf.barcode !== undefined) return "billet";
  return columnOf.pixKey !== undefined || columnOf.pixKeyType !== undefined ? "transfer-pix" : "transfer";
}

const boletoFields: ReadonlySet<SheetField> = new Set([
  "barcode",
  "value",
  "paymentDate",
  "description",
  "integrationId",
]);

/** What the kind does not know is not read, and said to be ignored. */
function keepToKind(kind: SheetKind, columnOf: ReadHeadings["columnOf"]): void {
  if (kind !== "billet") {
    // A transfer sheet's plain 'Descrição' means its only description.
    const description = columnOf.pixDescription ?? columnOf.description;
    if (description !== undefined) columnOf.pixDescription = description;
    delete columnOf.description;
    return;
  }
  // Every boleto needs a description: whom or what it pays is one. In such a sheet 'Conta' is the bill.
  const description = columnOf.description ?? columnOf.pixDescription ?? columnOf.name ?? columnOf.account;
  if (description !== undefined) columnOf.description = description;
  for (const field of Object.keys(columnOf) as SheetField[])
    if (!boletoFields.has(field)) delete columnOf[field];
}

/** What a payment cannot do without. The digit of the account may be in the account's own cell, a boleto's value in its code. */
const required: Record<SheetKind, readonly SheetField[]> = {
  transfer: ["name", "taxId", "bank", "agency", "account", "accountType", "value"],
  "transfer-pix": ["pixKey", "value"],
  billet: ["barcode"],
};

function missingOf(kind: SheetKind, columnOf: ReadHeadings["columnOf"]): string[] {
  return required[kind].filter((field) => columnOf[field] === undefined).map((field) => headingOf[field]);
}

const unclearWords: Partial<Record<SheetField, string>> = {
  value: "o valor",
  paymentDate: "a data do pagamento",
  pixKey: "a chave Pix",
  name: "o nome do recebedor",
  taxId: "o CPF ou CNPJ",
};

function refusalOf({ columnOf, unclear, layout }: ReadHeadings): SheetRefusal {
  if (unclear !== undefined) {
    const names = layout.columns.filter(({ may_be }) => may_be === unclear).map(({ heading }) => heading);
    const listed = `${names.slice(0, -1).join(", ")} e ${names.at(-1)}`;
    const what = unclearWords[unclear] ?? headingOf[unclear].replace(" (opcional)", "");
    return new SheetRefusal(
      "sheet_unclear_columns",
      `A planilha tem ${names.length} colunas que podem ser ${what}: ${listed}. Escolha qual vale.`,
      [],
      layout,
    );
  }
  const missing = missingOf(layout.kind, columnOf);
  const which = missing.length === 1 ? "Falta a coluna" : "Faltam as colunas";
  return new SheetRefusal(
    "sheet_wrong_headings",
    `${outsideModelText} ${which}: ${missing.join(", ")}.`,
    missing,
    layout,
  );
}
