import { sql } from "kysely";
import { Gauge } from "prom-client";
import { missingConnections } from "../ledger/index.ts";
import { findOldestDue, findOldestSilent } from "../payouts/index.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import { connectionIds } from "../ports/connections.ts";

const duePaymentOldestSeconds = new Gauge({
  name: "malote_due_payment_oldest_seconds",
  help: "Age of the oldest due payment that is not handed to the network; 0 when there is none",
  registers: [metrics],
});

const missingConnectionCompanies = new Gauge({
  name: "malote_missing_connection_companies",
  help: "Companies with a route or payments under way over a connection that this installation lacks",
  registers: [metrics],
});

const silentPaymentOldestSeconds = new Gauge({
  name: "malote_silent_payment_oldest_seconds",
  help: "Age of the oldest payment handed to the network without a reported outcome; 0 when there is none",
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

/** Measures how late due payments are, by the system's clock that sends them. */
export async function measureDuePayments({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const since = await db.withSystem((tx) => findOldestDue(tx, now));
  duePaymentOldestSeconds.set(since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0);
}

/** Measures the oldest payment handed over without an outcome. */
export async function measureSilentPayments({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const since = await db.withSystem(findOldestSilent);
  silentPaymentOldestSeconds.set(since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0);
}
