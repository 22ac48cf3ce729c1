/** An e-mail to a person, and the port that sends it. */
export interface Mail {
  id: string;
  companyId: string;
  brand: "malote" | "horizonte";
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The reply-to address; null: replies are not read. */
  replyTo: string | null;
  attachment?: MailAttachment;
}

export interface MailAttachment {
  /** Plain ASCII. */
  fileName: string;
  contentType: "application/pdf";
  content: Buffer;
}

export interface Mailer {
  /** Sends once for an id, as far as the carrier can know; rejecting means try again. */
  send(mail: Mail): Promise<void>;
}
