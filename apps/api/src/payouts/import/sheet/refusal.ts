import { SheetFileError } from "@malote/sheet-reader/sheet-file-error";
import type { SheetLimits } from "./limits.ts";
import type { SheetLayout } from "./sheet-layout.ts";

export type SheetRefusalCode =
  | "sheet_wrong_ending"
  | "sheet_empty"
  | "sheet_wrong_format"
  | "sheet_wrong_headings"
  | "sheet_unclear_columns"
  | "sheet_without_items"
  | "sheet_too_many_rows"
  | "sheet_too_large"
  | "sheet_unsafe"
  | "sheet_encrypted"
  | "sheet_old_excel"
  | "sheet_cancelled";

/** Text of IMP-010, shown whenever the file is not one of our models. */
export const outsideModelText =
  "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.";

/** Refusal of a whole sheet. `message` is Portuguese text for the screen. */
export class SheetRefusal extends Error {
  readonly code: SheetRefusalCode;
  /** Model names of the headings that are missing, when that is the reason. */
  readonly missingHeadings: readonly string[];
  /** Columns of the sheet, when a person can assign them. */
  readonly layout: SheetLayout | undefined;

  constructor(
    code: SheetRefusalCode,
    message: string,
    missingHeadings: readonly string[] = [],
    layout?: SheetLayout,
  ) {
    super(message);
    this.name = "SheetRefusal";
    this.code = code;
    this.missingHeadings = missingHeadings;
    this.layout = layout;
  }
}

export const wrongEnding = () =>
  new SheetRefusal("sheet_wrong_ending", "O arquivo precisa ser uma planilha terminada em .xlsx ou .csv.");

const emptyFile = () => new SheetRefusal("sheet_empty", outsideModelText);

/** `layout`: the columns that a person may assign, though none of their headings is known. */
export const wrongFormat = (layout?: SheetLayout) =>
  new SheetRefusal("sheet_wrong_format", outsideModelText, [], layout);

/** A column that holds account types in one part of the sheet and something else in the other. */
export const uneven = (heading: string, layout: SheetLayout) =>
  new SheetRefusal(
    "sheet_unclear_columns",
    `A coluna ${heading} não tem o mesmo conteúdo do início ao fim da planilha. Escolha o que há nela.`,
    [],
    layout,
  );

export const withoutItems = () =>
  new SheetRefusal("sheet_without_items", "A planilha não contém nenhum item");

export const unsafe = () =>
  new SheetRefusal(
    "sheet_unsafe",
    "O conteúdo deste arquivo não é seguro para ser lido. Baixe o modelo e copie os dados.",
  );

const encrypted = () =>
  new SheetRefusal(
    "sheet_encrypted",
    "A planilha está protegida por senha. Salve uma cópia sem senha e importe de novo.",
  );

const oldExcel = () =>
  new SheetRefusal(
    "sheet_old_excel",
    "Este é um arquivo do Excel antigo (.xls). Salve como .xlsx ou .csv e importe de novo.",
  );

export const cancelled = () => new SheetRefusal("sheet_cancelled", "A importação foi cancelada.");

const tooLarge = (limits: SheetLimits) =>
  new SheetRefusal(
    "sheet_too_large",
    `O arquivo é grande demais. O limite é de ${Math.floor(limits.fileBytesMax / 1024 / 1024)} MB.`,
  );

export const tooManyRows = (limits: SheetLimits) =>
  new SheetRefusal(
    "sheet_too_many_rows",
    `A planilha tem mais de ${limits.rowsMax.toLocaleString("pt-BR")} linhas. Divida em arquivos menores e importe um de cada vez.`,
  );

/** Converts an error of the file reader into a refusal; returns every other error as it is. */
export function refusalOfFile(error: unknown, limits: SheetLimits): unknown {
  if (!(error instanceof SheetFileError)) return error;
  switch (error.code) {
    case "empty":
      return emptyFile();
    case "too_large":
      return tooLarge(limits);
    case "too_many_lines":
      return tooManyRows(limits);
    case "wrong_format":
      return wrongFormat();
    case "unsafe":
      return unsafe();
    case "encrypted":
      return encrypted();
    case "old_excel":
      return oldExcel();
  }
}
