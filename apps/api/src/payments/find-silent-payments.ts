/**
 * Payments that the network accepted without a later report: asks the network for their outcome and applies the answer
 * like every event. Repeats the question with backoff while the network does not know the outcome.
 */
import { claimSilent, listKnownOrders } from "../payouts/index.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import { isReportToApply } from "../ports/rails.ts";
import { handleEvents } from "./handle-events.ts";

/** Payments per call, and calls per company in one turn. */
const blockSize = 500;
const blocksMax = 20;

export async function askAboutSilentPayments(
  services: Services,
  { companyId }: { companyId: string },
): Promise<void> {
  for (let block = 0; block < blocksMax; block++) {
    const now = services.clock.now();
    // Claimed before the call: if the network does not answer, the next question waits for the backoff.
    const silent = await services.db.withCompany(companyId, (tx) => claimSilent(tx, now, blockSize));
    const groups = Map.groupBy(silent, ({ connection }) => connection ?? services.rails.id);
    const questions = [...groups].map(([connection, payments]) =>
      ask(
        services,
        companyId,
        connection,
        payments.map((payment) => payment.end_to_end_id),
      ),
    );
    // Every network is asked, even when a question to another one failed.
    for (const one of await Promise.allSettled(questions)) if (one.status === "rejected") throw one.reason;
    if (silent.length < blockSize) return;
  }
}

async function ask(
  services: Services,
  companyId: string,
  id: string,
  keys: readonly string[],
): Promise<void> {
  const rails = connectionOf(services, id);
  if (!rails) throw new Error(`no connection has the id ${id}`);
  const known = await rails.find(await services.db.readCompany(companyId, (tx) => listKnownOrders(tx, keys)));
  const reports = [...known.values()].filter(isReportToApply);
  if (reports.length > 0) await handleEvents(services, reports, { connection: id, feed: "poll" });
  // The network had accepted these payments. Sending them again could pay twice, so a person has to ask the network.
  const lost = keys.filter((key) => !known.has(key));
  if (lost.length > 0) {
    services.log.error(
      { company: companyId, connection: id, count: lost.length, payment: lost[0] },
      "the network accepted payments and no longer knows them",
    );
  }
}
