import * as contracts from "@malote/contracts/card-receivables";
import { downloadStreamed, readStreamed, requestStreamed } from "../exports/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { listReceivables, readTotals } from "./read.ts";
import { receivableExport } from "./report.ts";

export function cardReceivableRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(contracts.listReceivables, listReceivables);
  serve(contracts.readReceivableTotals, readTotals);
  serve(contracts.requestReceivableReport, (tx, call) => requestStreamed(tx, call, receivableExport));
  serve(contracts.readReceivableReport, (tx, call) => readStreamed(tx, call, receivableExport));
  serveOutside(contracts.downloadReceivableReport, { queue: "steps" }, (call) =>
    downloadStreamed(services, call, receivableExport),
  );
}

export const cardReceivablesFeature: Feature = { routes: cardReceivableRoutes, exports: [receivableExport] };
