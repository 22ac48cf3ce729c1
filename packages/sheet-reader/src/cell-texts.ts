/** What cells that are neither text nor number become, in the reader's language. */
export interface CellTexts {
  yes: string;
  no: string;
  /** A formula that no program calculated. */
  noResult: string;
  /** Four, two and two digits. */
  date(year: string, month: string, day: string): string;
}

export const plainCellTexts: CellTexts = {
  yes: "TRUE",
  no: "FALSE",
  noResult: "#NO RESULT",
  date: (year, month, day) => `${year}-${month}-${day}`,
};
