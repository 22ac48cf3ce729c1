/** Scheduled work: charges without an answer or to be cancelled, refunds to repeat, and receivables that are due. */
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import { receiveDueReceivables } from "./card-sales.ts";
import { resumeDueCharges } from "./charge.ts";
import { listCompaniesWithDueWork } from "./charge-store.ts";
import type { ChargingNeeds } from "./needs.ts";
import { sendDueRefunds } from "./refund.ts";

/** Posts due receivables of card sales, and resumes charges and refunds without an answer. */
export async function collectDue(
  services: ChargingNeeds,
  { companyId }: { companyId: string },
): Promise<void> {
  await forEachInTurn([receiveDueReceivables, resumeDueCharges, sendDueRefunds], (work) =>
    work(services, { companyId }),
  );
}

export const listCompaniesToCollectFor = ({ db, clock }: Pick<Services, "db" | "clock">): Promise<string[]> =>
  db.withSystem((tx) => listCompaniesWithDueWork(tx, clock.now()));
