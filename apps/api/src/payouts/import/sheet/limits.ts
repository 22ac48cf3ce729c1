import { sheetBytesMax, sheetRowsMax } from "@malote/domain/limits";
import { type FileLimits, fileLimits } from "@malote/sheet-reader/limits";

/** Limits of a sheet of payments, in addition to those of the file. */
export interface SheetLimits extends FileLimits {
  /** Maximum number of payments in one sheet; one more is refused (decision 16). */
  rowsMax: number;
  /** Rows that may hold the headings, below a title, instructions or a logo. */
  headingRowsMax: number;
}

export const sheetLimits: SheetLimits = {
  ...fileLimits,
  fileBytesMax: sheetBytesMax,
  rowsMax: sheetRowsMax,
  headingRowsMax: 20,
};
