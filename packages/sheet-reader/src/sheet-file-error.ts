const sentences = {
  empty: "The file has no content.",
  too_large: "The file has more bytes than are read.",
  too_many_lines: "The file has more lines than are read.",
  wrong_format: "The file is not what its ending says, or it is damaged.",
  unsafe: "The file would cost more time or memory than its size allows, or holds what no spreadsheet holds.",
  encrypted: "The workbook is protected by a password.",
  old_excel: "The workbook is of an Excel before 2007.",
} as const;

export type SheetFileErrorCode = keyof typeof sentences;

/** Thrown for a file that cannot be read, or not to its end. Callers choose their own text by the code. */
export class SheetFileError extends Error {
  readonly code: SheetFileErrorCode;

  constructor(code: SheetFileErrorCode) {
    super(sentences[code]);
    this.name = "SheetFileError";
    this.code = code;
  }
}

export const emptyFile = () => new SheetFileError("empty");
export const tooLarge = () => new SheetFileError("too_large");
export const tooManyLines = () => new SheetFileError("too_many_lines");
export const wrongFormat = () => new SheetFileError("wrong_format");
export const unsafe = () => new SheetFileError("unsafe");
export const encrypted = () => new SheetFileError("encrypted");
export const oldExcel = () => new SheetFileError("old_excel");
