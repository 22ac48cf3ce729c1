import { sheetBytesMax, sheetRowsMax } from "@malote/domain/limits";
import { type FileLimits, fileLimits } from "@malote/sheet-reader/limits";

/** What is read of a sheet of payments, beside the bounds of the file itself. */
export interface SheetLimits extends FileLimits {
  /** Payments in one sheet; one more is refused (decision 16). */
  rowsMax: number;
  /** Rows above the headings: title, instructions, logo. */
  headingRowsMax: number;
}

export const sheetLimits: SheetLimits = {
  ...fileLimits,
  fileBytesMax: sheetBytesMax,
  rowsMax: sheetRowsMax,
  headingRowsMax: 20,
};
