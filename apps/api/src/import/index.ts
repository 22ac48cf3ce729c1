/** What other features may ask of sheets. */
export { importSheet } from "./import-sheet.ts";
export { badRowsSheet } from "./sheet/bad-rows-sheet.ts";
export { billetRepair, type Repair, repairTable, transferRepair } from "./sheet/repair-table.ts";
export { type Cell, csvLines, csvPieces, csvStart, writeTable, xlsxPieces } from "./sheet/sheet-files.ts";
export { tidySheets } from "./tidy-sheets.ts";
