/** Payments under way of all companies: those to send, those to ask the network about, and how long they have waited. */
import { paymentTransitions, statusesAwaitingReport } from "@malote/domain/payment-status";
import { sql } from "kysely";
import { listCompaniesWhere, sqlCompanies, sqlMayLeave } from "../../company/index.ts";
import type { AnyTx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { Services } from "../../platform/services.ts";
import { allConnections } from "../../ports/connections.ts";
import { sqlNotBegun } from "./store.ts";

/** Returns companies with due payments or with payments that a dead worker left half-way. */
export function listCompaniesWithDuePayments({
  db,
  clock,
  ...ports
}: Pick<Services, "db" | "clock" | "rails" | "connections">): Promise<string[]> {
  const now = clock.now();
  const shortest = Math.min(...allConnections(ports).map(({ timing }) => timing.answeredWithinMs));
  return db.withSystem((tx) =>
    listCompaniesWhere(
      tx,
      sql`EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
          AND t.status IN ${sqlNotBegun} AND t.execute_at <= ${now} AND ${sqlMayLeave(sql`t.payment_method`)})
        OR EXISTS (SELECT FROM payment_attempts p JOIN transfers t ON t.company_id = p.company_id AND t.id = p.transfer_id
          WHERE p.company_id = c.company_id AND p.retry_at <= ${now} AND ${sqlMayLeave(sql`t.payment_method`)})
        OR EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
          AND t.status = 'EXECUTING' AND t.sent_at IS NULL AND t.claimed_at < ${new Date(now.getTime() - shortest)})`,
    ),
  );
}

/** Returns companies with a payment whose outcome the network is to be asked for. */
export function listCompaniesWithSilentPayments({
  db,
  clock,
}: Pick<Services, "db" | "clock">): Promise<string[]> {
  return db.withSystem((tx) =>
    listCompaniesWhere(
      tx,
      sql`EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
        AND t.status IN ${statusIn(statusesAwaitingReport)} AND t.ask_at <= ${clock.now()})`,
    ),
  );
}

/**
 * Returns since when the oldest due payment waits. Payments of a blocked company or by a suspended method are held and
 * do not count; a payment that a worker claimed but did not hand over counts as unclaimed.
 */
export async function findOldestDue(tx: AnyTx, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    SELECT least(min(waiting.execute_at), min(taken.execute_at)) AS since
    FROM ${sqlCompanies}
    LEFT JOIN LATERAL (
      SELECT execute_at FROM transfers t
      WHERE t.company_id = c.company_id AND t.status IN ${movesTo(paymentTransitions, "EXECUTING")} AND t.execute_at <= ${now} AND ${sqlMayLeave(sql`t.payment_method`)}
      ORDER BY execute_at LIMIT 1
    ) waiting ON true
    LEFT JOIN LATERAL (
      SELECT min(execute_at) AS execute_at FROM transfers t
      WHERE t.company_id = c.company_id AND t.status = 'EXECUTING' AND t.sent_at IS NULL AND ${sqlMayLeave(sql`t.payment_method`)}
    ) taken ON true
  `.execute(tx);
  return rows[0]?.since ?? null;
}

/**
 * Returns since when the network has had the oldest payment without an outcome. Closed dead letters do not exclude it,
 * because its money stays reserved.
 */
export async function findOldestSilent(tx: AnyTx): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    SELECT min(silent.sent_at) AS since FROM ${sqlCompanies} CROSS JOIN LATERAL (
      SELECT min(t.sent_at) AS sent_at FROM transfers t
      WHERE t.company_id = c.company_id AND t.status IN ${movesTo(paymentTransitions, "TRANSFERRED")}
        AND t.status IN ${statusIn(statusesAwaitingReport)} AND t.sent_at IS NOT NULL
    ) silent
  `.execute(tx);
  return rows[0]?.since ?? null;
}
