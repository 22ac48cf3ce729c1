import * as contracts from "@malote/contracts/audit-trail";
import { downloadStreamed, readStreamed, requestStreamed } from "../exports/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { auditTrailExport } from "./export.ts";
import { listAuditTrail, readActors } from "./read.ts";

export function auditTrailRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(contracts.listAuditTrail, listAuditTrail);
  serve(contracts.listAuditActors, readActors);
  serve(contracts.exportAuditTrail, (tx, call) => requestStreamed(tx, call, auditTrailExport));
  serve(contracts.readAuditTrailExport, (tx, call) => readStreamed(tx, call, auditTrailExport));
  serveOutside(contracts.downloadAuditTrail, { queue: "steps" }, (call) =>
    downloadStreamed(services, call, auditTrailExport),
  );
}

export const auditTrailFeature: Feature = { routes: auditTrailRoutes, exports: [auditTrailExport] };
