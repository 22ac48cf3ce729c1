/**
 * The scheduled work: charges without an answer or to be cancelled, refunds to ask for again, and receivables whose
 * day has come.
 */
import { saoPauloDate } from "@malote/domain/calendar";
import { sql } from "kysely";
import { sqlMayPay } from "../company/index.ts";
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import { receiveDueReceivables } from "./card-sales.ts";
import { isCalledOff, takeUpCharges } from "./charge.ts";
import type { ChargingNeeds } from "./needs.ts";
import { sendDueRefunds } from "./refund.ts";

export async function collectDue(
  services: ChargingNeeds,
  { companyId }: { companyId: string },
): Promise<void> {
  await forEachInTurn([receiveDueReceivables, takeUpCharges, sendDueRefunds], (work) =>
    work(services, { companyId }),
  );
}

export async function companiesToCollectFor({
  db,
  clock,
}: Pick<Services, "db" | "clock">): Promise<string[]> {
  const now = clock.now();
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT c.company_id FROM companies c WHERE
        EXISTS (SELECT FROM card_receivables r WHERE r.company_id = c.company_id AND r.status = 'scheduled'
          AND r.expected_receive_date <= ${saoPauloDate(now)})
        OR EXISTS (SELECT FROM payins p WHERE p.company_id = c.company_id AND p.status = 'pending' AND p.ask_at <= ${now}
          AND (p.charged_at IS NULL OR ${isCalledOff}))
        OR EXISTS (SELECT FROM payin_refunds r WHERE r.company_id = c.company_id AND r.ask_at <= ${now}
          AND (r.tries > 0 OR ${sqlMayPay}))
    `.execute(tx),
  );
  return rows.map((row) => row.company_id);
}
