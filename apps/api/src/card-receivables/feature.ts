import * as contracts from "@malote/contracts/card-receivables";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { list, totals } from "./read.ts";
import * as report from "./report.ts";

export function cardReceivableRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listReceivables, list);
  serve(contracts.readReceivableTotals, totals);
  serve(contracts.requestReceivableReport, report.request);
  serve(contracts.readReceivableReport, report.state);
  serveOutside(contracts.downloadReceivableReport, (call) => report.download(parts, call));
}

export const feature: Feature = { routes: cardReceivableRoutes };
