/** What other features may ask of sheets. */
export { importSheet } from "./import-sheet.ts";
export { sendSheet } from "./send-sheet.ts";
export { badRowsSheet } from "./sheet/bad-rows-sheet.ts";
export type { ColumnChoice } from "./sheet/headings.ts";
export { billetRepair, type Repair, repairTable, transferRepair } from "./sheet/repair-table.ts";
export { type Cell, workbookOf, xlsxPieces } from "./sheet/sheet-files.ts";
export { columnsOfSheet } from "./store.ts";
