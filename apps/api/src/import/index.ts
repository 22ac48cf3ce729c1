/** What other features may ask of sheets. */
export { importSheet } from "./import-sheet.ts";
export { badRowsSheet } from "./sheet/bad-rows-sheet.ts";
export { modelHeadings } from "./sheet/model-sheets.ts";
export { writeTable } from "./sheet/sheet-files.ts";
