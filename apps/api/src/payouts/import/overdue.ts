import { minuteMs } from "@malote/domain/durations";
import { forEachCompany } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { importSheet } from "./import-sheet.ts";
import { listOverdueSheets } from "./store.ts";

/** Milliseconds, longer than the largest sheet takes. */
const overdueAfterMs = 2 * minuteMs;

/** Imports sheets without a running job, because it gave up or was lost (decision 0004). */
export async function importOverdueSheets(services: Services): Promise<void> {
  const createdBefore = new Date(services.clock.now().getTime() - overdueAfterMs);
  const sheets = await services.db.withSystem((tx) => listOverdueSheets(tx, createdBefore));
  for (const { company_id: companyId, id } of sheets)
    await forEachCompany(services, "reading a sheet", [companyId], () =>
      importSheet(services, { companyId, sheetId: id }),
    );
}
