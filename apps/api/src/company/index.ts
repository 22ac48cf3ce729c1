/** What other features may ask of a company. */
import type { Tx } from "../platform/db/database.ts";
import { hasCheckpoint } from "./store.ts";

export { firstName, type Person, paymentAdmins } from "./people.ts";
export { firstSettings, type StoredSettings } from "./settings.ts";
export {
  blockedTaxIds,
  type CompanyBankAccount,
  findBankAccount,
  isTaxIdBlocked,
  readCompany,
} from "./store.ts";

/** FST-023: once for the whole company, whoever did it. */
export const hasFilledFirstSteps = (tx: Tx): Promise<boolean> => hasCheckpoint(tx, "HAS_FILLED_FIRST_STEPS");
export { tidyLogos } from "./tidy-logos.ts";
