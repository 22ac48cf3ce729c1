/** The mailbox of the sandbox: stores e-mails and shows them in the simulator as a person would read them. */
import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../platform/db/database.ts";
import type { Mailer } from "../../ports/mailer.ts";

export function outboxMailer(db: DatabaseWithSandbox, clock: Clock): Mailer {
  return {
    async send(mail) {
      await db.withSandbox((tx) =>
        sql`
          INSERT INTO sandbox.mails (id, company_id, to_address, subject, text_body, html_body, brand, reply_to,
            attachment_name, sent_at)
          VALUES (${mail.id}, ${mail.companyId}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html},
                  ${mail.brand}, ${mail.replyTo}, ${mail.attachment?.fileName ?? null}, ${clock.now()})
          ON CONFLICT (id) DO NOTHING
        `.execute(tx),
      );
    },
  };
}

export interface SentMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  brand: string;
  reply_to: string | null;
  attachment_name: string | null;
  sent_at: string;
}

/** Maximum number of e-mails in one answer of the simulator. */
const mailsShownMax = 100;

/** Lists the stored e-mails, newest first. */
export async function listOutbox(db: DatabaseWithSandbox): Promise<SentMail[]> {
  const { rows } = await db.withSandbox((tx) =>
    sql<Omit<SentMail, "sent_at"> & { sent_at: Date }>`
      SELECT id, to_address AS "to", subject, text_body AS text, html_body AS html, brand, reply_to,
        attachment_name, sent_at
      FROM sandbox.mails ORDER BY sent_at DESC, id DESC LIMIT ${mailsShownMax}
    `.execute(tx),
  );
  return rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() }));
}
