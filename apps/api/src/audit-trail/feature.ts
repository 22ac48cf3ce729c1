import * as contracts from "@malote/contracts/audit-trail";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { download, request, state } from "./export.ts";
import { actors, list } from "./read.ts";

export function auditTrailRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listAuditTrail, list);
  serve(contracts.listAuditActors, actors);
  serve(contracts.exportAuditTrail, request);
  serve(contracts.readAuditTrailExport, state);
  serveOutside(contracts.downloadAuditTrail, (call) => download(parts, call));
}

export const feature: Feature = { routes: auditTrailRoutes };
