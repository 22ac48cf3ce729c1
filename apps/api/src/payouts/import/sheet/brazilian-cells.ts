import type { CellTexts } from "@malote/sheet-reader/cell-texts";

/** As Excel shows them in Brazil. */
export const brazilianCells: CellTexts = {
  yes: "VERDADEIRO",
  no: "FALSO",
  noResult: "#SEM RESULTADO",
  date: (year, month, day) => `${day}/${month}/${year}`,
};
