/** What every admin is informed of, because whoever did it may not be who they seem: people, factors, credentials, accounts, controls. */

import { firstName } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { paymentAdmins } from "./people.ts";

export async function emailAdmins(
  tx: Tx,
  parts: Pick<Parts, "jobs" | "config">,
  notice: {
    subject: string;
    /** One sentence with who did it. */
    what: string;
    facts?: readonly { label: string; value: string }[];
    /** Where it can be seen and undone. */
    page: `/${string}`;
    now: Date;
  },
): Promise<void> {
  // Whoever did it as well: their session may be in somebody else's hands.
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: notice.subject,
      content: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          notice.what,
          "Se você não reconhece esta mudança, desfaça-a agora e fale com os outros administradores e com o suporte.",
        ],
        ...(notice.facts && { facts: notice.facts }),
        button: { label: "Conferir", url: `${parts.config.publicUrl}${notice.page}` },
      },
      now: notice.now,
    });
  }
}
