/** Functions of exports that other features may call. */
export { downloadExport, getExport } from "./download.ts";
export {
  type ExportEmails,
  everyKindOf,
  type FileKind,
  fileKindsOf,
  type StreamedKind,
  type WrittenFile,
} from "./kind.ts";
export { makeExport } from "./make.ts";
export { type Requester, requestExport } from "./request.ts";
export type { Export, ExportState } from "./store.ts";
export { streamCsv } from "./stream-csv.ts";
export { downloadStreamed, readStreamed, requestStreamed } from "./streamed.ts";
export { slicesAfter, tablePieces } from "./table.ts";
export { tidyExports } from "./tidy.ts";
export { type Cell, workbookOf, xlsxPieces } from "./workbook.ts";
