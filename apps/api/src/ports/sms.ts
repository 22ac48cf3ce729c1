/** How short messages reach a phone. */
export interface SmsMessage {
  /** The same id again is the same message. */
  id: string;
  companyId: string;
  /** With the country, as the Pix directory writes phones: `+5511987654321`. */
  to: string;
  text: string;
}

export interface Sms {
  /** Resolves once it is on its way; rejecting means it may be sent again. Never called inside a transaction. */
  send(message: SmsMessage): Promise<void>;
}
