/**
 * All external services, as the product uses them. Adapters implement them; `adapters/create-adapters.ts` chooses
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
  /** Network that carries payments and proves their arrival, for every company and method without a route. */
  rails: Rails;
  /** Further networks by id, for payments whose route names one. */
  connections: ReadonlyMap<string, Rails>;
  /** Look-up of the holder of a Pix key and of known facts about an account. */
  accountCheck: AccountCheck;
  /** Register of boletos, read before a boleto is paid. */
  boletoRegister: BoletoRegister;
  /** Look-up of the charge behind a dynamic Pix code. */
  pixCodes: PixCodes;
  /** Pix directory (DICT): keys and claims. */
  directory: Directory;
  /** Charges by Pix, boleto and card, and their refunds. */
  charges: Charges;
  /** Contested Pix and the answers to them. */
  infractions: InfractionProvider;
  mailer: Mailer;
  /** Short messages to phones. */
  sms: Sms;
}
