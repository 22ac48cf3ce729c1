import { accountTypeNames, accountTypes } from "@malote/domain/bank-account";
import { banks } from "@malote/domain/banks";
import { pixKeyTypes } from "@malote/domain/pix-key";
import { writeCsvFile } from "@malote/sheet-reader/write-csv";
import {
  type CellStyle,
  type DataValidation,
  textStyle,
  type WriteSheet,
  writeXlsxFile,
} from "@malote/sheet-reader/write-xlsx";
import { headingOf } from "./heading-words.ts";
import type { SheetField } from "./headings.ts";
import type { SheetKind } from "./sheet-layout.ts";

const headingStyle: CellStyle = { ...textStyle, font: { bold: true } };

const modelFields: Record<SheetKind, readonly SheetField[]> = {
  transfer: [
    "name",
    "taxId",
    "email",
    "bank",
    "agency",
    "agencyDigit",
    "account",
    "accountDigit",
    "accountType",
    "value",
    "integrationId",
    "paymentDate",
    "pixDescription",
  ],
  "transfer-pix": [
    "name",
    "taxId",
    "email",
    "pixKeyType",
    "pixKey",
    "value",
    "integrationId",
    "paymentDate",
    "pixDescription",
  ],
  billet: ["barcode", "value", "paymentDate", "description", "integrationId"],
};

/** Heading of a boleto's date; the other models use the word for scheduling. */
const boletoDateHeading = "Data de pagamento (opcional)";

/** Examples are in this line, because a row of the table would be paid. */
const instructions: Record<SheetKind, string> = {
  transfer:
    "Preencha uma transferência por linha, a partir da linha 3, sem mudar os nomes do cabeçalho. " +
    "Exemplos: banco 001, valor 1.234,56, data 31/12/2026, descrição de até 140 caracteres. Sem data, o pagamento é feito no mesmo dia.",
  "transfer-pix":
    "Preencha um Pix por linha, a partir da linha 3, sem mudar os nomes do cabeçalho. " +
    "Exemplos: tipo CPF, CNPJ, EMAIL, TELEFONE ou CHAVE_ALEATORIA, telefone 11987654321, valor 1.234,56, data 31/12/2026. Nome e CPF ou CNPJ podem ficar vazios.",
  billet:
    "Preencha um boleto por linha, a partir da linha 3, sem mudar os nomes do cabeçalho. " +
    "Copie os 47 ou 48 números da linha digitável, ou os 44 do código de barras. Exemplos: valor 1.234,56, data 31/12/2026.",
};

const sheetName = "Página1";
const listName = "Listas";
/** Rows that the drop-down lists and formats cover; the import accepts more. */
const preparedRows = 1_000;
const headingRow = 2;
const columnWidth = 24;

export function modelHeadings(kind: SheetKind): string[] {
  return modelFields[kind].map((field) =>
    kind === "billet" && field === "paymentDate" ? boletoDateHeading : headingOf[field],
  );
}

/** Returns the model to download (IMP-003). Both formats hold exactly the headings that `findHeadings` knows. */
export function writeModelSheet(kind: SheetKind, form: "xlsx" | "csv"): Promise<Buffer> {
  return form === "csv" ? Promise.resolve(writeCsvFile([modelHeadings(kind)])) : writeModelWorkbook(kind);
}

async function writeModelWorkbook(kind: SheetKind): Promise<Buffer> {
  const headings = modelHeadings(kind);
  const table: WriteSheet = {
    name: sheetName,
    columns: headings.map(() => ({ width: columnWidth, style: textStyle })),
    rows: [[instructions[kind]], headings, ...emptyRows(headings.length)],
    cells: new Map([
      ["0,0", { style: { alignment: { wrapText: true, vertical: "top" } } }],
      ...headings.map((_, column) => [`1,${column}`, { style: headingStyle }] as const),
    ]),
    merges: [{ startRow: 0, startCol: 0, endRow: 0, endCol: headings.length - 1 }],
    rowDefs: new Map([[0, { height: 45 }]]),
    freezePane: { rows: headingRow },
    dataValidations: validations(kind),
  };
  const sheets = kind === "transfer" ? [table, listSheet()] : [table];
  return writeXlsxFile(sheets);
}

/** Returns cells that hold only the text format, so that leading zeros typed into them stay. */
function emptyRows(columns: number): null[][] {
  return Array.from({ length: preparedRows }, () => Array.from({ length: columns }, () => null));
}

const bankTexts = () => banks().flatMap(({ code, name }) => (code === null ? [] : [`${code} - ${name}`]));

/** Returns the hidden sheet of banks: a drop-down of more than 255 characters must refer to cells. */
function listSheet(): WriteSheet {
  return {
    name: listName,
    hidden: true,
    columns: [{ width: 60, style: textStyle }],
    rows: bankTexts().map((text) => [text]),
  };
}

function validations(kind: SheetKind): DataValidation[] {
  if (kind === "billet") return [];
  if (kind === "transfer-pix") return [fromList("pixKeyType", kind, [...pixKeyTypes])];
  return [
    fromList(
      "accountType",
      kind,
      accountTypes.map((type) => accountTypeNames[type]),
    ),
    {
      type: "list",
      formula1: `${listName}!$A$1:$A$${bankTexts().length}`,
      range: rangeOf("bank", kind),
      allowBlank: true,
      // A bare number such as 001 is valid too.
      showErrorMessage: false,
    },
  ];
}

function fromList(field: SheetField, kind: SheetKind, values: string[]): DataValidation {
  return { type: "list", values, range: rangeOf(field, kind), allowBlank: true, showErrorMessage: false };
}

function rangeOf(field: SheetField, kind: SheetKind): string {
  const letter = String.fromCharCode(65 + modelFields[kind].indexOf(field));
  return `${letter}${headingRow + 1}:${letter}${headingRow + preparedRows}`;
}
