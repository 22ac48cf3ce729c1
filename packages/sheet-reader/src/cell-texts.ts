/** Texts, in the reader's language, for cells that are neither text nor number. */
export interface CellTexts {
  yes: string;
  no: string;
  /** The text for a formula without a calculated result. */
  noResult: string;
  /** Formats a date of four, two and two digits. */
  date(year: string, month: string, day: string): string;
}

export const plainCellTexts: CellTexts = {
  yes: "TRUE",
  no: "FALSE",
  noResult: "#NO RESULT",
  date: (year, month, day) => `${year}-${month}-${day}`,
};
