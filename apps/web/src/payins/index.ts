export { ExportButton } from "./export-button.tsx";
export type { Report } from "./report.ts";
