/** E-mails leave after the change they report: the transaction queues them, and a job sends them. */
import type { MailAttachment, Mailer } from "../../ports/mailer.ts";
import type { Clock } from "../clock.ts";
import type { Database, Tx } from "../db/database.ts";
import { reachFailPoint } from "../fail-points.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { uuidv7 } from "../uuid.ts";
import { type EmailText, renderEmail } from "./email-text.ts";
import {
  claimLateMails,
  eraseExpiredTexts,
  findUnsent,
  insertMail,
  listCompaniesWithLateMails,
  markSent,
  readSender,
} from "./mail-store.ts";

export interface MailToQueue {
  to: string;
  /** Subject in one line. */
  subject: string;
  content: EmailText;
  now: Date;
  /** End of the access that the e-mail grants. Its text is stored only until it is sent, and it is not sent later. */
  goodUntil?: Date;
  /** Id of the object whose document is attached. Each object has one such e-mail. */
  attachmentOf?: string;
  kind?: string;
  /** Event that caused the e-mail; each person gets one e-mail per event and kind. */
  eventId?: string;
}

/**
 * Writes the e-mail in the company's brand and queues it, both in the given transaction. Returns its id; undefined
 * where this person has the event's e-mail already.
 */
export async function queueMail(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  { to, subject, content, now, goodUntil, attachmentOf, kind, eventId }: MailToQueue,
): Promise<string | undefined> {
  const id = uuidv7();
  const line = subject.replaceAll(/\s+/g, " ").trim();
  const { brand, name, replyTo } = await readSender(tx);
  const { text, html } = renderEmail(brand, line, content, {
    replyTo,
    ...(attachmentOf && { paidBy: name }),
  });
  const isNew = await insertMail(tx, {
    id,
    to,
    subject: line,
    text,
    html,
    now,
    goodUntil,
    replyTo,
    attachmentOf,
    kind,
    eventId,
  });
  if (!isNew) return undefined;
  await jobs.enqueue(tx, "send-mail", { companyId: tx.companyId, mailId: id });
  return id;
}

/** Sends a queued e-mail that was not sent yet (the job). Calls the carrier outside any transaction. */
export async function sendMail(
  services: { db: Database; clock: Clock; mailer: Mailer },
  { companyId, mailId }: { companyId: string; mailId: string },
  attach?: (companyId: string, objectId: string) => Promise<MailAttachment>,
): Promise<void> {
  const mail = await services.db.withCompany(companyId, (tx) => findUnsent(tx, mailId, services.clock.now()));
  if (!mail) return;
  const { attachmentOf, ...toSend } = mail;
  if (attachmentOf && !attach) throw new Error(`no feature attaches the document of ${attachmentOf}`);
  const attachment = attachmentOf ? await attach?.(companyId, attachmentOf) : undefined;
  reachFailPoint("before-mail-sent");
  await services.mailer.send({ ...toSend, ...(attachment && { attachment }) });
  reachFailPoint("after-mail-sent");
  await services.db.withCompany(companyId, (tx) => markSent(tx, mailId, services.clock.now()));
}

/**
 * Queues unsent e-mails of the last week again, after an hour, two, four …, each time by one worker, because an SMTP
 * outage may outlast the tries of a job.
 */
export async function sendLateMails({
  db,
  clock,
  jobs,
}: {
  db: Database;
  clock: Clock;
  jobs: Pick<Jobs, "enqueue">;
}): Promise<void> {
  const now = clock.now();
  for (const companyId of await db.withSystem((tx) => listCompaniesWithLateMails(tx, now))) {
    await db.withCompany(companyId, async (tx) => {
      for (const mailId of await claimLateMails(tx, now))
        await jobs.enqueue(tx, "send-mail", { companyId, mailId });
    });
  }
}

/**
 * Erases the text of e-mails that grant access and were not sent before it expired: only an attacker could use them.
 */
export async function deleteUnsentSecrets({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await db.withSystem((tx) => eraseExpiredTexts(tx, clock.now()));
}
