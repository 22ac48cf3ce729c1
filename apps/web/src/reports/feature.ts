import type { Feature } from "../shell/feature.ts";
import { ReportLayer } from "./report-layer.tsx";

/** No page of its own: reports are requested beside their rows, and opened by the link of an e-mail. */
export const reports: Feature = { pages: [], layer: ReportLayer };
