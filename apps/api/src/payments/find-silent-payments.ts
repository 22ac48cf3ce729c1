/**
 * Payments the network took and then said nothing of: it is asked what became of them, and its answer goes the way of
 * every event. What it does not know yet is asked again later, each time after a longer while.
 */
import { sql } from "kysely";
import type { Parts } from "../platform/parts.ts";
import { knownOrders } from "./attempts.ts";
import { handleEvents } from "./handle-events.ts";
import { claimSilent } from "./store.ts";

/** Payments asked about in one call, and calls for a company in one turn. */
const blockSize = 500;
const blocksMax = 20;

export async function askAboutSilentPayments(
  parts: Parts,
  { companyId }: { companyId: string },
): Promise<void> {
  for (let block = 0; block < blocksMax; block++) {
    const now = parts.clock.now();
    // Taken before asking: should the network not answer, they wait their longer while.
    const ids = await parts.db.withCompany(companyId, (tx) => claimSilent(tx, now, blockSize));
    if (ids.length === 0) return;
    const known = await parts.rails.find(await parts.db.readCompany(companyId, (tx) => knownOrders(tx, ids)));
    const news = [...known.values()].filter((one) => one !== "under_way");
    if (news.length > 0) await handleEvents(parts, news);
    // It said that it took them. Sending once more could pay twice, so a person has to ask the network.
    const lost = ids.filter((id) => !known.has(id));
    if (lost.length > 0) {
      parts.log.error(
        { company: companyId, count: lost.length, payment: lost[0] },
        "the network took payments and does not know them any more",
      );
    }
    if (ids.length < blockSize) return;
  }
}

export async function companiesWithSilentPayments({ db, clock }: Parts): Promise<string[]> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT c.company_id FROM companies c
      WHERE EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
        AND t.status IN ('EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL', 'TRANSFERRED') AND t.ask_at <= ${clock.now()})
    `.execute(tx),
  );
  return rows.map((row) => row.company_id);
}
