import { sheetBytesMax, sheetRowsMax } from "@malote/domain/limits";
import { type FileLimits, fileLimits } from "@malote/sheet-reader/limits";

/** Limits of a sheet of payments, in addition to those of the file. */
export interface SheetLimits extends FileLimits {
  /** Maximum number of payments in one sheet; one more is refused (ruling D16). */
  rowsMax: number;
  /** Rows that may hold the headings, below a title, instructions or a logo. */
  headingRowsMax: number;
  /**
   * Rows and characters of the tabs of a file that decide what a column without a clear name holds. They are kept in
   * memory; the rows below them are compared with the decision as they pass.
   */
  decidingRowsMax: number;
  decidingCharactersMax: number;
}

export const sheetLimits: SheetLimits = {
  ...fileLimits,
  fileBytesMax: sheetBytesMax,
  rowsMax: sheetRowsMax,
  headingRowsMax: 20,
  decidingRowsMax: 10_000,
  decidingCharactersMax: 8 * 1024 * 1024,
};
