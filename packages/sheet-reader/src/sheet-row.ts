/** Kind of a cell before it became text. Different rules read a number and a text that looks like one. */
export const cellKind = { text: 0, number: 1, date: 2, boolean: 3, error: 4 } as const;
export type CellKind = (typeof cellKind)[keyof typeof cellKind];

/** One row as the file has it. Cells without content are "". */
export interface SheetRow {
  /** The row number that Excel shows, so that a person finds the row again. */
  sheetRow: number;
  hidden: boolean;
  /** Numbers as the exact text of the file (with a decimal point), all else in the words of `CellTexts`. */
  texts: string[];
  /** Parallel to `texts`; a missing entry is text, so a CSV row needs none. */
  kinds: CellKind[];
}

/** A table of a file. Reading starts with the first request for rows, which come in blocks and only once. */
export type Tab = () => AsyncGenerator<SheetRow[]>;
