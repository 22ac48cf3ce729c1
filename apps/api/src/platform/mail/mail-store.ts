/** Queued e-mails as rows; each query is one function. */
import { type RawBuilder, sql } from "kysely";
import type { Mail } from "../../ports/mailer.ts";
import type { AnyTx, Tx } from "../db/database.ts";

/** E-mail to queue, as it is sent. */
interface NewMail extends Pick<Mail, "to" | "subject" | "text" | "html" | "replyTo"> {
  id: string;
  now: Date;
  goodUntil: Date | undefined;
  attachmentOf: string | undefined;
  kind: string | undefined;
  eventId: string | undefined;
}

/** Adds an e-mail; returns false where this person has the event's e-mail already. */
export async function insertMail(tx: Tx, mail: NewMail): Promise<boolean> {
  const { id, to, subject, text, html, now, goodUntil, replyTo, attachmentOf, kind, eventId } = mail;
  const { rows } = await sql`
    INSERT INTO mails (company_id, id, to_address, subject, text_body, html_body, created_at, words_end_when_sent,
      good_until, reply_to, receipt_of, kind, event_id)
    VALUES (${tx.companyId}, ${id}, ${to}, ${subject}, ${text}, ${html}, ${now}, ${goodUntil !== undefined},
      ${goodUntil ?? null}, ${replyTo}, ${attachmentOf ?? null}, ${kind ?? null}, ${eventId ?? null})
    ON CONFLICT (company_id, event_id, kind, to_address) WHERE event_id IS NOT NULL DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** Marks an e-mail as sent, and erases the text of one that grants access. */
export async function markSent(tx: Tx, mailId: string, now: Date): Promise<void> {
  await sql`
    UPDATE mails SET sent_at = ${now},
      text_body = CASE WHEN words_end_when_sent THEN '' ELSE text_body END,
      html_body = CASE WHEN words_end_when_sent THEN '' ELSE html_body END
    WHERE company_id = ${tx.companyId} AND id = ${mailId} AND sent_at IS NULL
  `.execute(tx);
}

const isGood = (now: Date) => sql`coalesce(good_until > ${now}, true)`;

/** Unsent e-mails of the last week that are due again: after an hour, two, four … */
const isLate = (
  now: Date,
) => sql`sent_at IS NULL AND text_body <> '' AND created_at > ${now}::timestamptz - interval '7 days' AND ${isGood(now)}
  AND ${now}::timestamptz - coalesce(taken_up_at, created_at)
    >= greatest(interval '1 hour', taken_up_at - created_at)`;

export async function listCompaniesWithLateMails(tx: AnyTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT DISTINCT company_id FROM mails WHERE ${isLate(now)}
  `.execute(tx);
  return rows.map((row) => row.company_id);
}

/** Claims the late e-mails of a company and returns their ids. */
export async function claimLateMails(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE mails SET taken_up_at = ${now} WHERE company_id = ${tx.companyId} AND ${isLate(now)} RETURNING id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Erases the text of unsent e-mails whose access has expired. */
export async function eraseExpiredTexts(tx: AnyTx, now: Date): Promise<void> {
  await sql`
    UPDATE mails SET text_body = '', html_body = ''
    WHERE words_end_when_sent AND sent_at IS NULL AND text_body <> '' AND NOT ${isGood(now)}
  `.execute(tx);
}

/** SQL condition: an e-mail with the document of this object was queued. */
export const sqlIsAttachmentQueued = (
  companyId: RawBuilder<unknown>,
  objectId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM mails m WHERE m.company_id = ${companyId} AND m.receipt_of = ${objectId})`;

export async function readSender(tx: Tx): Promise<Pick<Mail, "brand" | "replyTo"> & { name: string }> {
  const { rows } = await sql<Pick<Mail, "brand" | "replyTo"> & { name: string }>`
    SELECT brand, name, settings->>'replyToEmail' AS "replyTo" FROM companies WHERE company_id = ${tx.companyId}
  `.execute(tx);
  if (!rows[0]) throw new Error(`no company ${tx.companyId}`);
  return rows[0];
}

type QueuedMail = Omit<Mail, "attachment"> & { attachmentOf: string | null };

export async function findUnsent(tx: Tx, mailId: string, now: Date): Promise<QueuedMail | undefined> {
  const { rows } = await sql<QueuedMail>`
    SELECT m.id, m.company_id AS "companyId", c.brand, m.to_address AS "to", m.subject,
           m.text_body AS text, m.html_body AS html, m.reply_to AS "replyTo", m.receipt_of AS "attachmentOf"
    FROM mails m JOIN companies c USING (company_id)
    WHERE m.company_id = ${tx.companyId} AND m.id = ${mailId} AND m.sent_at IS NULL
      AND m.text_body <> '' AND ${isGood(now)}
  `.execute(tx);
  return rows[0];
}
