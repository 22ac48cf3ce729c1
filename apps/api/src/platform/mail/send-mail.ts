/** E-mails leave after the change they report: the transaction queues them, and a job sends them. */
import { type RawBuilder, sql } from "kysely";
import type { Mail, MailAttachment, Mailer } from "../../ports/mailer.ts";
import type { Clock } from "../clock.ts";
import type { Database, Tx } from "../db/database.ts";
import { reachFailPoint } from "../fail-points.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { uuidv7 } from "../uuid.ts";
import { type EmailText, renderEmail } from "./email-text.ts";

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
  const { rows } = await sql`
    INSERT INTO mails (company_id, id, to_address, subject, text_body, html_body, created_at, words_end_when_sent,
      good_until, reply_to, receipt_of, kind, event_id)
    VALUES (${tx.companyId}, ${id}, ${to}, ${line}, ${text}, ${html}, ${now}, ${goodUntil !== undefined},
      ${goodUntil ?? null}, ${replyTo}, ${attachmentOf ?? null}, ${kind ?? null}, ${eventId ?? null})
    ON CONFLICT (company_id, event_id, kind, to_address) WHERE event_id IS NOT NULL DO NOTHING RETURNING id
  `.execute(tx);
  if (rows.length === 0) return undefined;
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
  await services.db.withCompany(companyId, (tx) =>
    sql`
      UPDATE mails SET sent_at = ${services.clock.now()},
        text_body = CASE WHEN words_end_when_sent THEN '' ELSE text_body END,
        html_body = CASE WHEN words_end_when_sent THEN '' ELSE html_body END
      WHERE company_id = ${companyId} AND id = ${mailId} AND sent_at IS NULL
    `.execute(tx),
  );
}

const isGood = (now: Date) => sql`coalesce(good_until > ${now}, true)`;

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
  const late = sql`sent_at IS NULL AND text_body <> '' AND created_at > ${now}::timestamptz - interval '7 days' AND ${isGood(now)}
    AND ${now}::timestamptz - coalesce(taken_up_at, created_at)
      >= greatest(interval '1 hour', taken_up_at - created_at)`;
  const found = await db.withSystem((tx) =>
    sql<{ company_id: string }>`SELECT DISTINCT company_id FROM mails WHERE ${late}`.execute(tx),
  );
  for (const { company_id: companyId } of found.rows) {
    await db.withCompany(companyId, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        UPDATE mails SET taken_up_at = ${now} WHERE company_id = ${companyId} AND ${late} RETURNING id
      `.execute(tx);
      for (const { id } of rows) await jobs.enqueue(tx, "send-mail", { companyId, mailId: id });
    });
  }
}

/** SQL condition: an e-mail with the document of this object was queued. */
export const sqlIsAttachmentQueued = (
  companyId: RawBuilder<unknown>,
  objectId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM mails m WHERE m.company_id = ${companyId} AND m.receipt_of = ${objectId})`;

/**
 * Erases the text of e-mails that grant access and were not sent before it expired: only an attacker could use them.
 */
export async function deleteUnsentSecrets({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await db.withSystem((tx) =>
    sql`
      UPDATE mails SET text_body = '', html_body = ''
      WHERE words_end_when_sent AND sent_at IS NULL AND text_body <> '' AND NOT ${isGood(clock.now())}
    `.execute(tx),
  );
}

async function readSender(tx: Tx): Promise<Pick<Mail, "brand" | "replyTo"> & { name: string }> {
  const { rows } = await sql<Pick<Mail, "brand" | "replyTo"> & { name: string }>`
    SELECT brand, name, settings->>'replyToEmail' AS "replyTo" FROM companies WHERE company_id = ${tx.companyId}
  `.execute(tx);
  if (!rows[0]) throw new Error(`no company ${tx.companyId}`);
  return rows[0];
}

type QueuedMail = Omit<Mail, "attachment"> & { attachmentOf: string | null };

async function findUnsent(tx: Tx, mailId: string, now: Date): Promise<QueuedMail | undefined> {
  const { rows } = await sql<QueuedMail>`
    SELECT m.id, m.company_id AS "companyId", c.brand, m.to_address AS "to", m.subject,
           m.text_body AS text, m.html_body AS html, m.reply_to AS "replyTo", m.receipt_of AS "attachmentOf"
    FROM mails m JOIN companies c USING (company_id)
    WHERE m.company_id = ${tx.companyId} AND m.id = ${mailId} AND m.sent_at IS NULL
      AND m.text_body <> '' AND ${isGood(now)}
  `.execute(tx);
  return rows[0];
}
