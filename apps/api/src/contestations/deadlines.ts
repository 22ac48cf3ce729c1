/** Scheduled work: infractions not answered in time, answers that the provider has not taken, and money to collect. */
import { audit } from "../platform/audit.ts";
import type { Services } from "../platform/services.ts";
import { beginRefund, collectRefunds } from "./refunds.ts";
import { sendInfractionAnswers } from "./send-answers.ts";
import { listCompaniesWithWork, lockOverdue, writeAnswer } from "./store.ts";

type Needs = Pick<Services, "db" | "clock" | "jobs" | "log" | "files" | "infractions">;

/** MED-012: accepts infractions that the company did not answer in time, and returns their money. */
export async function expireInfractions(
  services: Pick<Services, "db" | "clock" | "jobs">,
  { companyId }: { companyId: string },
): Promise<void> {
  await services.db.withCompany(companyId, async (tx) => {
    const now = services.clock.now();
    const overdue = await lockOverdue(tx, now);
    for (const row of overdue) {
      await writeAnswer(tx, row.id, { status: "delayed", by: null, now });
      await audit(tx, { actor: "system", now }, "infraction_expired", row.id);
      await beginRefund(tx, row, now);
    }
    if (overdue.length > 0) await services.jobs.enqueue(tx, "tell-infractions", { companyId });
  });
}

const workByKind = {
  overdue: expireInfractions,
  unsent: sendInfractionAnswers,
  refunds: collectRefunds,
} as const;

/**
 * Runs the due work of each company. Idempotent, so it may run beside a running job; one company's failure does not
 * delay the others.
 */
export async function runInfractionWork(services: Needs): Promise<void> {
  const found = await services.db.withSystem((tx) => listCompaniesWithWork(tx, services.clock.now()));
  for (const { kind, company_id: companyId } of found) {
    await workByKind[kind](services, { companyId }).catch((error: unknown) =>
      services.log.warn({ err: error, company: companyId, kind }, "cannot do the due work of an infraction"),
    );
  }
}
