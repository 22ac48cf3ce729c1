/** Functions of the company feature that other features may call. */
import type { CheckpointId } from "@malote/contracts/company";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { addCheckpoint, hasCheckpoint } from "./store.ts";

export { bankOnWire } from "./banks.ts";
export { blockTaxId, isTaxIdBlocked, listBlockedTaxIds, unblockTaxId } from "./blocked-tax-id-store.ts";
export {
  listCompaniesWhere,
  sqlAccountOf,
  sqlBlockedTaxIds,
  sqlCompanies,
  sqlHolds,
  sqlJoinCompany,
  sqlMayLeave,
  sqlMayPay,
  sqlNameOf,
  sqlOfCompany,
} from "./conditions.ts";
export { sendLogo } from "./data.ts";
export { readCompanyData } from "./data-store.ts";
export { installationLimits, limitsInForce, setInstallationLimits } from "./installation-limits.ts";
export {
  findOwnPrice,
  listCompanies,
  lockOptions,
  type NamedCompany,
  optionColumns,
  saveOptions,
} from "./options-store.ts";
export { firstSettings, type StoredSettings } from "./settings.ts";
export {
  addCheckpoint,
  type Company,
  type CompanyBankAccount,
  changeSettings,
  findBankAccount,
  findBankAccountState,
  isSameBankAccount,
  listHeldAccounts,
  lockCompany,
  readCompany,
  requireContractAccepted,
  requireFunction,
  requireMayPay,
  saveBankAccount,
} from "./store.ts";

/** FST-023: returns true once any user of the company has filled in the first steps. */
export const hasFilledFirstSteps = (tx: Tx): Promise<boolean> => hasCheckpoint(tx, "HAS_FILLED_FIRST_STEPS");

/** FST-022: records a checkpoint when a call itself completes it. */
export async function recordCheckpoint(tx: Tx, id: CheckpointId, userId: string, now: Date): Promise<void> {
  await addCheckpoint(tx, { id, userId, metadata: {}, now });
}

/** FST-024: records the checkpoint of any kind of report. Credentials have no first steps. */
export async function recordReportCheckpoint(
  tx: Tx,
  { actor, now }: { actor: Pick<Actor, "kind" | "id">; now: Date },
): Promise<void> {
  if (actor.kind === "user") await recordCheckpoint(tx, "HAS_CREATED_REPORT", actor.id, now);
}
export { runWithinUploadLimit } from "./uploads-at-once.ts";
