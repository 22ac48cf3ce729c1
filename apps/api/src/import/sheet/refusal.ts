import type { SheetLimits } from "./limits.ts";

export type SheetRefusalCode =
  | "sheet_wrong_ending"
  | "sheet_empty"
  | "sheet_wrong_format"
  | "sheet_wrong_headings"
  | "sheet_without_items"
  | "sheet_too_many_rows"
  | "sheet_too_large"
  | "sheet_unsafe"
  | "sheet_encrypted"
  | "sheet_old_excel"
  | "sheet_cancelled";

/** The text of IMP-010: what a person reads whenever the file is not one of our models. */
export const outsideModelText =
  "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.";

/** A sheet that is not accepted as a whole. `message` is Portuguese and made for the screen. */
export class SheetRefusal extends Error {
  readonly code: SheetRefusalCode;
  /** Model names of the headings that were not found, when that is the reason. */
  readonly missingHeadings: readonly string[];

  constructor(code: SheetRefusalCode, message: string, missingHeadings: readonly string[] = []) {
    super(message);
    this.name = "SheetRefusal";
    this.code = code;
    this.missingHeadings = missingHeadings;
  }
}

export const wrongEnding = () =>
  new SheetRefusal("sheet_wrong_ending", "O arquivo precisa ser uma planilha terminada em .xlsx ou .csv.");

export const emptyFile = () => new SheetRefusal("sheet_empty", outsideModelText);

export const wrongFormat = () => new SheetRefusal("sheet_wrong_format", outsideModelText);

export const withoutItems = () =>
  new SheetRefusal("sheet_without_items", "A planilha não contém nenhum item");

export const unsafe = () =>
  new SheetRefusal(
    "sheet_unsafe",
    "O conteúdo deste arquivo não é seguro para ser lido. Baixe o modelo e copie os dados.",
  );

export const encrypted = () =>
  new SheetRefusal(
    "sheet_encrypted",
    "A planilha está protegida por senha. Salve uma cópia sem senha e importe de novo.",
  );

export const oldExcel = () =>
  new SheetRefusal(
    "sheet_old_excel",
    "Este é um arquivo do Excel antigo (.xls). Salve como .xlsx ou .csv e importe de novo.",
  );

export const cancelled = () => new SheetRefusal("sheet_cancelled", "A importação foi cancelada.");

export const tooLarge = (limits: SheetLimits) =>
  new SheetRefusal(
    "sheet_too_large",
    `O arquivo é grande demais. O limite é de ${Math.floor(limits.fileBytesMax / 1024 / 1024)} MB.`,
  );

export const tooManyRows = (limits: SheetLimits) =>
  new SheetRefusal(
    "sheet_too_many_rows",
    `A planilha tem mais de ${limits.rowsMax.toLocaleString("pt-BR")} linhas. Divida em arquivos menores e importe um de cada vez.`,
  );
