/** The company's own mail server. */
import { createTransport } from "nodemailer";
import { mailBrands } from "../../platform/mail/email-text.ts";
import type { Mailer } from "../../ports/mailer.ts";

const timeoutMs = 15_000;

/** `from` is an address, alone or as `Name <address>`; each e-mail goes out under the name of its brand. */
export function smtpMailer(url: string, from: string): Mailer & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An e-mail is made of text only: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  const host = address.split("@")[1] ?? "localhost";
  return {
    async send(mail) {
      await transport.sendMail({
        from: { name: mailBrands[mail.brand].name, address },
        // As an object, so that a comma or a bracket in it cannot add a second receiver.
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
        // The same id for every try, so that a server or a reader that keeps ids shows one e-mail.
        messageId: `<${mail.id}@${host}>`,
        headers: { "auto-submitted": "auto-generated" },
      });
    },
    close: () => transport.close(),
  };
}
