/** What Malote writes to whoever asked for a file. */
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { firstName } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { FileKind } from "./kind.ts";
import type { Export } from "./store.ts";

/** The link opens only for somebody of the company who is signed in: an e-mail may be read by others. */
export async function emailAboutExport(
  tx: Tx,
  { jobs, config, clock }: Pick<Parts, "jobs" | "config" | "clock">,
  kind: FileKind,
  asked: Export,
): Promise<void> {
  if (!asked.requester_email || !asked.requester_name) return;
  const { ready, failed } = await kind.email(tx, asked);
  const isReady = asked.state === "ready";
  const { subject, paragraph, facts = [], button } = isReady ? ready : failed;
  const until = { label: "Disponível até", value: formatDate(saoPauloDate(asked.expires_at)) };
  await queueMail(tx, jobs, {
    to: asked.requester_email,
    subject,
    content: {
      greeting: `Olá, ${firstName(asked.requester_name)}!`,
      paragraphs: [paragraph],
      facts: isReady ? [...facts, until] : [...facts],
      button: { label: button.label, url: config.publicUrl + button.path },
    },
    now: clock.now(),
  });
}
