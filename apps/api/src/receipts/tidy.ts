/** The clock's housekeeping of receipts: links end, files go from the disk, and what nobody makes any more is told of. */
import { receiptsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import { audit } from "../platform/audit.ts";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Parts } from "../platform/parts.ts";
import { tellReceiptsFailed } from "./letters.ts";
import { abandonedRequests, endRequest, expireRequests, findRequest } from "./store.ts";

const hourMs = 3_600_000;

export async function tidyReceipts(parts: Parts): Promise<void> {
  for (const companyId of await companiesWithRequests(parts)) {
    await giveUpAbandoned(parts, companyId);
    await removeExpired(parts, companyId);
  }
  await removeUnnamed(parts.files, "receipts", (key) => isKept(parts, key));
}

async function companiesWithRequests({ db }: Parts): Promise<string[]> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT company_id FROM receipt_requests WHERE state IN ('making', 'ready') ORDER BY company_id
    `.execute(tx),
  );
  return rows.map((row) => row.company_id);
}

async function giveUpAbandoned(parts: Parts, companyId: string): Promise<void> {
  const now = parts.clock.now();
  await parts.db.withCompany(companyId, async (tx) => {
    const before = new Date(now.getTime() - receiptsKept.makingHours * hourMs);
    for (const id of await abandonedRequests(tx, before)) {
      if (!(await endRequest(tx, id, { state: "failed" }))) continue;
      await audit(tx, { actor: "system", now }, "receipts_given_up", id);
      const request = await findRequest(tx, id);
      if (request) await tellReceiptsFailed(tx, parts, request);
    }
  });
}

/** The record goes first: a kill in between leaves a file without one, which the next turn removes. */
async function removeExpired(parts: Parts, companyId: string): Promise<void> {
  const now = parts.clock.now();
  const expired = await parts.db.withCompany(companyId, async (tx) => {
    const rows = await expireRequests(tx, now);
    for (const { id } of rows) await audit(tx, { actor: "system", now }, "receipts_removed", id);
    return rows;
  });
  for (const { fileKey } of expired) await parts.files.remove(fileKey);
}

async function isKept({ db }: Parts, key: string): Promise<boolean> {
  const { rows } = await db.withSystem((tx) =>
    sql`SELECT FROM receipt_requests WHERE file_key = ${key}`.execute(tx),
  );
  return rows.length > 0;
}
