/** What other features may ask of a company. */
import type { CheckpointId } from "@malote/contracts/company";
import type { Tx } from "../platform/db/database.ts";
import { addCheckpoint, hasCheckpoint } from "./store.ts";

export { sendLogo } from "./data.ts";
export { readCompanyData } from "./data-store.ts";
export { findPerson, firstName, type Person, paymentAdmins } from "./people.ts";
export { firstSettings, type StoredSettings } from "./settings.ts";
export {
  addCheckpoint,
  blockedTaxIds,
  type Company,
  type CompanyBankAccount,
  findBankAccount,
  isTaxIdBlocked,
  lockAdding,
  readCompany,
} from "./store.ts";

/** FST-023: once for the whole company, whoever did it. */
export const hasFilledFirstSteps = (tx: Tx): Promise<boolean> => hasCheckpoint(tx, "HAS_FILLED_FIRST_STEPS");
export { tidyLogos } from "./tidy-logos.ts";

/** FST-022, where a call itself is what was done. */
export async function noteCheckpoint(tx: Tx, id: CheckpointId, userId: string, now: Date): Promise<void> {
  await addCheckpoint(tx, { id, userId, metadata: {}, now });
}
