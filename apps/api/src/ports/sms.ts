/** Port for text messages to phones. */
export interface SmsMessage {
  /** Id of the message; a repeated id is the same message. */
  id: string;
  companyId: string;
  /** Phone number with country code, as the Pix directory writes it: `+5511987654321`. */
  to: string;
  text: string;
}

export interface Sms {
  /**
   * Sends a message. Resolves once the carrier accepted it; after a rejection it may be sent again. Never call it
   * inside a transaction.
   */
  send(message: SmsMessage): Promise<void>;
}
