/** Port for e-mails to people. */
import type { BrandId } from "@malote/domain/brands";
export interface Mail {
  id: string;
  companyId: string;
  brand: BrandId;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Reply-to address; null: replies are not read. */
  replyTo: string | null;
  attachment?: MailAttachment;
}

export interface MailAttachment {
  /** File name in plain ASCII. */
  fileName: string;
  contentType: "application/pdf";
  content: Buffer;
}

export interface Mailer {
  /**
   * Sends an e-mail, once per id as far as the carrier can guarantee. A rejection means that the caller should retry.
   */
  send(mail: Mail): Promise<void>;
}
