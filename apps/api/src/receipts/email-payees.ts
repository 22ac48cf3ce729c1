/**
 * The job `email-payees`: notifies payees with an e-mail address that their money has finally arrived, with the
 * receipt, if the company enables it. A payment has at most one such e-mail, even if its status changes later.
 */

import { sql } from "kysely";
import { readCompany } from "../company/index.ts";
import { queueEmail, written } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { sqlIsAttachmentQueued } from "../platform/mail/mail-store.ts";
import type { Services } from "../platform/services.ts";

interface Payee {
  id: string;
  name: string;
  email: string;
  value: number;
  paymentMethod: string;
  description: string | null;
}

/** Maximum number of e-mails per transaction; each is an insert and a job. */
const atOnce = 50;

/**
 * Enqueues the job for arrived payments (the subscriber). It writes no e-mail itself: a block of five hundred payments
 * would need five hundred, and later events would wait.
 */
export async function enqueuePayeeEmails(
  tx: Tx,
  events: readonly StoredEvent<"payment.settled" | "payment.finished">[],
  { jobs }: Pick<Services, "jobs">,
): Promise<void> {
  const paymentIds = events
    .filter(({ type, payload }) => type === "payment.finished" || payload.isFinal)
    .map(({ objectId }) => objectId);
  if (paymentIds.length === 0 || !(await readCompany(tx)).settings.emailsPayees) return;
  await jobs.enqueue(tx, "email-payees", { companyId: tx.companyId, paymentIds });
}

export async function emailPayees(
  services: Services,
  { companyId, paymentIds }: { companyId: string; paymentIds: readonly string[] },
): Promise<void> {
  for (;;) {
    const count = await services.db.withCompany(companyId, async (tx) => {
      const company = await readCompany(tx);
      if (!company.settings.emailsPayees) return 0;
      const payees = await listPayeesToWriteTo(tx, paymentIds);
      for (const payee of payees) {
        const { name, email, value: amount, paymentMethod: method, description } = payee;
        const arrived = { company: company.name, payee: name, amount, method, description };
        await queueEmail(tx, services, written("paymentArrived", arrived), {
          to: { name, email },
          now: services.clock.now(),
          attachmentOf: payee.id,
        });
      }
      return payees.length;
    });
    if (count < atOnce) return;
  }
}

async function listPayeesToWriteTo(tx: Tx, paymentIds: readonly string[]): Promise<Payee[]> {
  const { rows } = await sql<Payee>`
    SELECT t.id, t.name, t.email, t.value, t.payment_method AS "paymentMethod", t.pix_description AS description
    FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...paymentIds]}::uuid[]) AND t.status = 'FINISHED'
      AND t.email IS NOT NULL AND t.name IS NOT NULL AND b.type = 'TRANSFER'
      AND NOT ${sqlIsAttachmentQueued(sql`t.company_id`, sql`t.id`)}
    ORDER BY t.id LIMIT ${atOnce}
  `.execute(tx);
  return rows;
}
