import { statusesAwaitingReport, transferTransitions } from "@malote/domain/transfer-status";
import { sql } from "kysely";
import { Gauge } from "prom-client";
import { sqlMayLeave } from "../company/index.ts";
import { missingConnections } from "../ledger/index.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { statusIn } from "../platform/db/status-in.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import { connectionIds } from "../ports/connections.ts";

const duePaymentOldestSeconds = new Gauge({
  name: "malote_due_payment_oldest_seconds",
  help: "How long the oldest payment has been due that the network does not have yet; 0 when there is none",
  registers: [metrics],
});

const missingConnectionCompanies = new Gauge({
  name: "malote_missing_connection_companies",
  help: "Companies with a route, or payments on their way, over a connection that this installation does not have",
  registers: [metrics],
});

const silentPaymentOldestSeconds = new Gauge({
  name: "malote_silent_payment_oldest_seconds",
  help: "How long the network has had the oldest payment whose outcome it did not report; 0 when there is none",
  registers: [metrics],
});

/** Counts connections that rows name and the configuration of this process lacks. */
export async function measureMissingConnections({
  db,
  ...ports
}: Pick<Services, "db" | "rails" | "connections">): Promise<void> {
  const counted = await db.withSystem((tx) =>
    sql<{ count: number }>`
      SELECT count(DISTINCT company_id)::int AS count FROM (${missingConnections(connectionIds(ports))}) missing
    `.execute(tx),
  );
  missingConnectionCompanies.set(onlyRow(counted).count);
}

/**
 * Measures how late due payments are, by the system's clock that sends them. Payments of a blocked company or by a
 * suspended method are held and do not count; a payment that a worker claimed but did not hand over counts as
 * unclaimed.
 */
export async function measureDuePayments({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const { rows } = await db.withSystem((tx) =>
    sql<{ since: Date | null }>`
      SELECT least(min(waiting.execute_at), min(taken.execute_at)) AS since
      FROM companies c
      LEFT JOIN LATERAL (
        SELECT execute_at FROM transfers t
        WHERE t.company_id = c.company_id AND t.status IN ${movesTo(transferTransitions, "EXECUTING")} AND t.execute_at <= ${now} AND ${sqlMayLeave}
        ORDER BY execute_at LIMIT 1
      ) waiting ON true
      LEFT JOIN LATERAL (
        SELECT min(execute_at) AS execute_at FROM transfers t
        WHERE t.company_id = c.company_id AND t.status = 'EXECUTING' AND t.sent_at IS NULL AND ${sqlMayLeave}
      ) taken ON true
    `.execute(tx),
  );
  const since = rows[0]?.since;
  duePaymentOldestSeconds.set(since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0);
}

/**
 * Measures the oldest payment handed over without an outcome. Closed dead letters do not exclude it, because its money
 * stays reserved.
 */
export async function measureSilentPayments({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ since: Date | null }>`
      SELECT min(silent.sent_at) AS since FROM companies c CROSS JOIN LATERAL (
        SELECT min(t.sent_at) AS sent_at FROM transfers t
        WHERE t.company_id = c.company_id AND t.status IN ${movesTo(transferTransitions, "TRANSFERRED")}
          AND t.status IN ${statusIn(statusesAwaitingReport)} AND t.sent_at IS NOT NULL
      ) silent
    `.execute(tx),
  );
  const since = rows[0]?.since;
  silentPaymentOldestSeconds.set(since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0);
}
