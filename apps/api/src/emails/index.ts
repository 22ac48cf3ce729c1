/** All e-mails that the product sends. Their texts are only here; the features choose the recipients. */
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Services } from "../platform/services.ts";
import { batchEmails } from "./batches.ts";
import { companyEmails } from "./company.ts";
import type { Email } from "./email.ts";
import { fileEmails } from "./files.ts";
import { peopleEmails } from "./people.ts";
import { receivedEmails } from "./received.ts";

export const emails = {
  ...batchEmails,
  ...receivedEmails,
  ...companyEmails,
  ...peopleEmails,
  ...fileEmails,
} as const;

export type EmailKind = keyof typeof emails;
export type EmailData<K extends EmailKind> = Parameters<(typeof emails)[K]>[0];

/** Text of one e-mail without a recipient. */
export interface WrittenEmail extends Email {
  kind: EmailKind;
}

export const written = <K extends EmailKind>(kind: K, data: EmailData<K>): WrittenEmail => ({
  ...(emails[kind] as (data: EmailData<K>) => Email)(data),
  kind,
});

const firstName = (name: string): string => name.split(" ", 1)[0] ?? name;

/** Queues the e-mail in the transaction, in the company's brand. */
export async function queueEmail(
  tx: Tx,
  { jobs, config }: Pick<Services, "jobs" | "config">,
  email: WrittenEmail,
  sending: {
    to: { name: string; email: string };
    now: Date;
    /** Id of the event that caused the e-mail. */
    eventId?: string;
    /** End of the access that the e-mail grants. */
    goodUntil?: Date;
    /** Id of the payment whose receipt is attached. */
    attachmentOf?: string;
  },
): Promise<void> {
  const { to, ...rest } = sending;
  const { kind, subject, greeting, paragraphs, facts, button } = email;
  await queueMail(tx, jobs, {
    ...rest,
    kind,
    to: to.email,
    subject,
    content: {
      greeting: greeting ?? `Olá, ${firstName(to.name)}!`,
      paragraphs,
      ...(facts && { facts }),
      ...(button && {
        button: {
          label: button.label,
          url: "url" in button ? button.url : `${config.publicUrl}${button.page}`,
        },
      }),
    },
  });
}
