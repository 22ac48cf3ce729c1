/** Scheduled work: charges without an answer or to be cancelled, refunds to repeat, and receivables that are due. */
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import { receiveDueReceivables } from "./card-sales.ts";
import { takeUpCharges } from "./charge.ts";
import { companiesWithDueWork } from "./charge-store.ts";
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

export const companiesToCollectFor = ({ db, clock }: Pick<Services, "db" | "clock">): Promise<string[]> =>
  db.withSystem((tx) => companiesWithDueWork(tx, clock.now()));
