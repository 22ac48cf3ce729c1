/** Progress of a requested report. */
import type * as contracts from "@malote/contracts/reports";
import { getExport } from "../exports/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { reportFileName } from "./forms.ts";
import { reportExportKinds } from "./kinds.ts";

export async function readReport(tx: Tx, call: Call<typeof contracts.readReport>) {
  const asked = await getExport(tx, reportExportKinds, call);
  const kind = asked.kind as contracts.ReportKind;
  return {
    id: asked.id,
    kind,
    state: asked.state,
    initialDate: asked.request.initialDate,
    endDate: asked.request.endDate,
    rows_count: asked.rows_count,
    file_name: reportFileName(kind, asked.request),
    requested_at: asked.created_at.toISOString(),
    expires_at: asked.expires_at.toISOString(),
  };
}
