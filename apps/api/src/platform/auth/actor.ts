import type { Bearer } from "@malote/contracts/policy";

/** Bearer of a valid token. */
export interface Actor extends Bearer {
  /** Id of the user, or of a machine's credential. */
  id: string;
  name: string;
  companyId: string;
  sessionId: string;
  /** Id of the token that authenticated the call, among those of the session. */
  tokenId: string;
  /** True when two-factor is mandatory for the company and this user has it off (SES-046). */
  mustEnableTwoFactor: boolean;
}
