/** The clock's housekeeping of reports: links end, files go from the disk, and what nobody makes any more is told of. */
import { reportsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import { audit } from "../platform/audit.ts";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Parts } from "../platform/parts.ts";
import { tellReportFailed } from "./letters.ts";
import { abandonedReports, endReport, expireReports, findReport } from "./store.ts";

const hourMs = 3_600_000;

export async function tidyReports(parts: Parts): Promise<void> {
  const { rows } = await parts.db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT company_id FROM report_requests WHERE state IN ('making', 'ready') ORDER BY company_id
    `.execute(tx),
  );
  for (const { company_id } of rows) {
    await giveUpAbandoned(parts, company_id);
    await removeExpired(parts, company_id);
  }
  await removeUnnamed(parts.files, "reports", (key) => isKept(parts, key));
}

async function giveUpAbandoned(parts: Parts, companyId: string): Promise<void> {
  const now = parts.clock.now();
  await parts.db.withCompany(companyId, async (tx) => {
    const before = new Date(now.getTime() - reportsKept.makingHours * hourMs);
    for (const id of await abandonedReports(tx, before)) {
      if (!(await endReport(tx, id, { state: "failed" }))) continue;
      await audit(tx, { actor: "system", now }, "report_given_up", id);
      const request = await findReport(tx, id);
      if (request) await tellReportFailed(tx, parts, request);
    }
  });
}

/** The record goes first: a kill in between leaves a file without one, which the next turn removes. */
async function removeExpired(parts: Parts, companyId: string): Promise<void> {
  const now = parts.clock.now();
  const expired = await parts.db.withCompany(companyId, async (tx) => {
    const rows = await expireReports(tx, now);
    for (const { id } of rows) await audit(tx, { actor: "system", now }, "report_removed", id);
    return rows;
  });
  for (const { fileKey } of expired) await parts.files.remove(fileKey);
}

async function isKept({ db }: Parts, key: string): Promise<boolean> {
  const { rows } = await db.withSystem((tx) =>
    sql`SELECT FROM report_requests WHERE file_key = ${key}`.execute(tx),
  );
  return rows.length > 0;
}
