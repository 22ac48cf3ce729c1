/** What the clock calls for: nobody answered in time, a provider that was not informed, money to collect. */
import { audit } from "../platform/audit.ts";
import type { Parts } from "../platform/parts.ts";
import { beginRefund, collectRefunds } from "./refunds.ts";
import { sendInfractionAnswers } from "./send-answers.ts";
import { companiesWithWork, lockOverdue, writeAnswer } from "./store.ts";

type Needs = Pick<Parts, "db" | "clock" | "jobs" | "log" | "files" | "infractions">;

/** MED-012: whoever is silent agrees, and the money goes back. */
export async function expireInfractions(
  parts: Pick<Parts, "db" | "clock" | "jobs">,
  { companyId }: { companyId: string },
): Promise<void> {
  await parts.db.withCompany(companyId, async (tx) => {
    const now = parts.clock.now();
    const overdue = await lockOverdue(tx, now);
    for (const row of overdue) {
      await writeAnswer(tx, row.id, { status: "delayed", by: null, now });
      await audit(tx, { actor: "system", now }, "infraction_expired", row.id);
      await beginRefund(tx, row, now);
    }
    if (overdue.length > 0) await parts.jobs.enqueue(tx, "tell-infractions", { companyId });
  });
}

const works = { overdue: expireInfractions, untold: sendInfractionAnswers, refunds: collectRefunds } as const;

/** Idempotent, so doing it beside a living job harms nobody; one company's trouble does not hold up the others. */
export async function keepInfractionDeadlines(parts: Needs): Promise<void> {
  const found = await parts.db.withSystem((tx) => companiesWithWork(tx, parts.clock.now()));
  for (const { kind, company_id: companyId } of found) {
    await works[kind](parts, { companyId }).catch((error: unknown) =>
      parts.log.warn({ err: error, company: companyId, kind }, "infractions"),
    );
  }
}
