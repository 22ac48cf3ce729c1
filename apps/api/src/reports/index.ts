/** What other features may ask of reports. */
export { makeReport } from "./make.ts";
export { tidyReports } from "./tidy.ts";
