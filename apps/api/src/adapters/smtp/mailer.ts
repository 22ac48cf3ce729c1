/** Sends e-mail through the company's own mail server. */
import { createTransport } from "nodemailer";
import { mailBrands } from "../../platform/mail/email-text.ts";
import type { Mailer } from "../../ports/mailer.ts";

const timeoutMs = 15_000;

/** Creates the mailer. `from` is an address, alone or as `Name <address>`; each e-mail shows the name of its brand. */
export function smtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An e-mail contains text only; no file or address in it is ever fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  const host = address.split("@")[1] ?? "localhost";
  return {
    async send(mail) {
      await transport.sendMail({
        from: { name: mailBrands[mail.brand].name, address },
        // Passed as an object, so that a comma or bracket cannot add a second receiver.
        to: { name: "", address: mail.to },
        ...(mail.replyTo && { replyTo: { name: "", address: mail.replyTo } }),
        ...(mail.attachment && {
          attachments: [
            {
              filename: mail.attachment.fileName,
              contentType: mail.attachment.contentType,
              content: mail.attachment.content,
            },
          ],
        }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // Every attempt uses the same id, so that servers and mail programs can deduplicate the e-mail.
        messageId: `<${mail.id}@${host}>`,
        headers: { "auto-submitted": "auto-generated" },
      });
    },
    close: () => transport.close(),
  };
}
