/** Handlers of reports that do not go through the inbox of payments: actions of the features, composed here. */
import { handleInfractionEvent } from "./contestations/index.ts";
import type { ReportHandlers } from "./payments/index.ts";
import { handleDirectoryReport } from "./pix-keys/index.ts";

export const reportHandlers: ReportHandlers = {
  infractions: handleInfractionEvent,
  directory: handleDirectoryReport,
};
