/** Every change of how somebody signs in is written to that person: whoever did not make it learns of it at once. */
import { formatDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";

interface SecurityEmail {
  to: { name: string; email: string };
  subject: string;
  what: string;
  now: Date;
}

export async function queueSecurityEmail(
  tx: Tx,
  parts: Pick<Parts, "config" | "jobs">,
  { to, subject, what, now }: SecurityEmail,
): Promise<void> {
  await queueMail(tx, parts.jobs, {
    to: to.email,
    subject,
    content: {
      greeting: `Olá, ${to.name.split(" ", 1)[0] ?? to.name}!`,
      paragraphs: [
        what,
        "Se não foi você, troque sua senha agora, encerrando também as suas credenciais, e fale com um administrador da sua empresa.",
      ],
      facts: [
        { label: "Conta", value: to.email },
        { label: "Quando", value: `${formatDate(saoPauloDate(now))} ${saoPauloTime(now).slice(0, 5)}` },
      ],
      button: { label: "Ver minha segurança", url: `${parts.config.publicUrl}/minha-conta/seguranca` },
    },
    now,
  });
}
