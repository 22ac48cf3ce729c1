import { forEachCompany } from "../../platform/feature.ts";
import type { Parts } from "../../platform/parts.ts";
import { importSheet } from "./import-sheet.ts";
import { listOverdueSheets } from "./store.ts";

/** Longer than the largest sheet takes. */
const overdueAfterMs = 120_000;

/** Reads sheets that nobody reads any more: their job gave up or was lost (decision 0004). */
export async function importOverdueSheets(parts: Parts): Promise<void> {
  const createdBefore = new Date(parts.clock.now().getTime() - overdueAfterMs);
  const sheets = await parts.db.withSystem((tx) => listOverdueSheets(tx, createdBefore));
  for (const { company_id: companyId, id } of sheets)
    await forEachCompany(parts, "reading a sheet", [companyId], () =>
      importSheet(parts, { companyId, sheetId: id }),
    );
}
