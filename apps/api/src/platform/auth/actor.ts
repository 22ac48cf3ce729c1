import type { Bearer } from "@malote/contracts/policy";

/** The bearer of a valid token. */
export interface Actor extends Bearer {
  /** The user, or the credential of a machine. */
  id: string;
  name: string;
  companyId: string;
  sessionId: string;
  /** Which of the session's tokens came. */
  tokenId: string;
  /** Two-factor is mandatory for the company and this user has it off (SES-046). */
  mustEnableTwoFactor: boolean;
}
