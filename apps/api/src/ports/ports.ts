/**
 * Everything outside Malote, as the product uses it. Adapters implement it; `adapters/create-adapters.ts` chooses
 * which.
 */
import type { AccountCheck } from "./account-check.ts";
import type { BoletoRegister } from "./boleto-register.ts";
import type { Charges } from "./charges.ts";
import type { InfractionProvider } from "./infractions.ts";
import type { Mailer } from "./mailer.ts";
import type { PixCodes } from "./pix-codes.ts";
import type { Directory } from "./pix-directory.ts";
import type { Rails } from "./rails.ts";
import type { Sms } from "./sms.ts";

export interface Ports {
  /** Carries payments, and proves that they arrived: all whose company and method have no route of their own. */
  rails: Rails;
  /** Further networks, by id, for the payments whose route names one. */
  connections: ReadonlyMap<string, Rails>;
  /** The holder of a Pix key, and the known facts about an account. */
  accountCheck: AccountCheck;
  /** How a boleto is registered, read before it is paid. */
  boletoRegister: BoletoRegister;
  /** The charge behind a dynamic Pix code. */
  pixCodes: PixCodes;
  /** The Pix directory (DICT): keys and claims. */
  directory: Directory;
  /** Charges by Pix, boleto and card, and refunds of what they made. */
  charges: Charges;
  /** Contested Pix, and answers to them. */
  infractions: InfractionProvider;
  mailer: Mailer;
  /** Short messages to phones. */
  sms: Sms;
}
