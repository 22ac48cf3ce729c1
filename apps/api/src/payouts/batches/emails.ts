/** E-mails about batches: their recipients and their timing. */
import { sql } from "kysely";
import { listApproverIds, listOtherApprovers, withEmail } from "../../controls/index.ts";
import { queueEmail, type WrittenEmail, written } from "../../emails/index.ts";
import { findPerson, type Person } from "../../identities/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { StoredEvent } from "../../platform/events/subscriber.ts";
import type { Services } from "../../platform/services.ts";
import { claimFailureNotices, insertFailureNotices, listFailedPayments } from "./failure-notice-store.ts";
import { type BatchRow, isBatch } from "./store.ts";

type BatchNotice = StoredEvent<
  "batch.approval_requested" | "batch.rejected" | "batch.approved" | "batch.sent_back"
>;

/** Handles the events of the subscriber `batch-emails`: queues one e-mail per recipient. */
export async function emailAboutBatches(
  tx: Tx,
  events: readonly BatchNotice[],
  services: Services,
): Promise<void> {
  const now = services.clock.now();
  for (const event of events) {
    const notice = await writeNotice(tx, event, now);
    if (!notice) continue;
    const { people, email } = notice;
    for (const to of people) await queueEmail(tx, services, email, { to, now, eventId: event.id });
  }
}

async function writeNotice(
  tx: Tx,
  { type, objectId: id, payload }: BatchNotice,
  now: Date,
): Promise<{ people: readonly Person[]; email: WrittenEmail } | undefined> {
  switch (type) {
    case "batch.approval_requested": {
      const { by } = payload;
      const sender = withEmail(by.name, (await findPerson(tx, by.id))?.email ?? null);
      return {
        // The recipients are all admins and the operators that the company names, except the sender.
        people: await listOtherApprovers(tx, by.id, now),
        email: written("batchAwaitsApproval", { ...payload, id, sender }),
      };
    }
    case "batch.rejected":
      return {
        // A batch that the company's own system created has no recipient.
        people: await findPeople(tx, payload.createdBy === null ? [] : [payload.createdBy]),
        email: written("batchRejected", { ...payload, id, by: payload.by.name }),
      };
    case "batch.approved": {
      const { by, closed } = payload;
      // More approvals are missing, a credential created the batch, or its creator gave the last approval.
      if (!closed?.createdBy || closed.createdBy === by.id) return undefined;
      return {
        people: await findPeople(tx, [closed.createdBy]),
        email: written("batchApproved", { ...closed, id, by: by.name }),
      };
    }
    case "batch.sent_back":
      // The batch waited for money and returned to draft automatically: no screen waits for it, so an e-mail is needed.
      return {
        people: await findPeople(tx, payload.people),
        email: written("batchSentBack", { ...payload, id }),
      };
  }
}

/** Returns the ids of the users who created, closed or approved the batch. */
export async function listMakerIds(
  tx: Tx,
  batch: Pick<BatchRow, "id" | "created_by" | "closed_by">,
): Promise<string[]> {
  const ids = [batch.created_by, batch.closed_by, ...(await listApproverIds(tx, batch.id))];
  return [...new Set(ids)].filter((id) => id !== null);
}

/** Returns the people with these ids who still have access. */
async function findPeople(tx: Tx, ids: readonly string[]): Promise<Person[]> {
  const found = await Promise.all(ids.map((id) => findPerson(tx, id)));
  return found.filter((person) => person !== undefined);
}

/** Handles the events of the subscriber `failure-notices`: schedules a notice for each batch. */
export const scheduleFailureNotices = (
  tx: Tx,
  events: readonly StoredEvent<"payment.failed">[],
): Promise<void> =>
  insertFailureNotices(
    tx,
    events.map(({ payload: { batchId }, at }) => ({ batchId, at })),
  );

/** Failed payments that the e-mail names; the batch shows the others. */
const failuresNamed = 10;

/** Queues e-mails to the makers of batches whose failure notice is due. Runs on a schedule. */
export async function emailFailures(services: Services): Promise<void> {
  const now = services.clock.now();
  const due = await services.db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT company_id FROM failure_notices WHERE due_at <= ${now}
    `.execute(tx),
  );
  for (const { company_id: companyId } of due.rows) {
    await services.db.withCompany(companyId, async (tx) => {
      for (const batch of await claimFailureNotices(tx, now)) {
        // All failures were corrected or returned in the meantime.
        if (!isBatch(batch) || batch.failed_count === 0) continue;
        await emailFailuresOfBatch(tx, services, batch);
      }
    });
  }
}

async function emailFailuresOfBatch(tx: Tx, services: Services, batch: BatchRow): Promise<void> {
  const named = await listFailedPayments(tx, batch.id, failuresNamed);
  const email = written("paymentsFailed", { ...batch, failed: batch.failed_count, named });
  for (const to of await findPeople(tx, await listMakerIds(tx, batch)))
    await queueEmail(tx, services, email, { to, now: services.clock.now() });
}
