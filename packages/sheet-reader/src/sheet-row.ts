/** What a cell was before it became text. A number and a text that looks like one are read by different rules. */
export const cellKind = { text: 0, number: 1, date: 2, boolean: 3, error: 4 } as const;
export type CellKind = (typeof cellKind)[keyof typeof cellKind];

/** One row as the file has it. Cells without content are "". */
export interface SheetRow {
  /** The number Excel shows at the left, so a person finds the row again. */
  sheetRow: number;
  hidden: boolean;
  /** Numbers as the exact text of the file (point decimals), all else as `CellTexts` says. */
  texts: string[];
  /** Beside `texts`; a missing entry is text, so a CSV row needs none. */
  kinds: CellKind[];
}

/** A table of a file; reading starts when its rows are asked for, which come in blocks and once. */
export type Tab = () => AsyncGenerator<SheetRow[]>;
