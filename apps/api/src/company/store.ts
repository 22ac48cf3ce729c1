import type { AccountType } from "@malote/domain/bank-account";
import type { BrandId } from "@malote/domain/brands";
import { isSuspended, type MoneyFunction, moneyFunctions } from "@malote/domain/suspended-functions";
import type { AccountInForce } from "@malote/domain/withdrawal";
import { type RawBuilder, sql } from "kysely";
import { sqlHasSecondFactor, sqlJoinUser } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { wholeTextAndNames } from "../platform/db/whole-text.ts";
import { limitsInForce } from "./installation-limits.ts";
import type { StoredSettings } from "./settings.ts";

export interface Company {
  id: string;
  name: string;
  taxId: string;
  brand: BrandId;
  blocked: boolean;
  acceptedContract: boolean;
  /** Codes of the company's permissions, or `all` (SES-058). */
  permissions: readonly string[];
  /** The company's account at the provider. */
  agency: string;
  account: string;
  accountDigit: string;
  /** City of the company's address, if given. */
  city: string | null;
  settings: StoredSettings;
}

/** Reads the company with its limits per payment, its own or the installation's (SES-074). */
export async function readCompany(tx: Tx): Promise<Company> {
  const { rows } = await sql<Company>`
    ${prepared} SELECT company_id AS id, name, tax_id AS "taxId", brand, blocked, accepted_contract AS "acceptedContract",
           permissions, account_agency AS agency, account_number AS account, account_digit AS "accountDigit", address ->> 'city' AS city, settings
    FROM companies WHERE company_id = ${tx.companyId}
  `.execute(tx);
  const [company] = rows;
  if (!company) throw new Error(`no company ${tx.companyId}`);
  const { TRANSACTION } = limitsInForce(company.settings);
  return { ...company, settings: { ...company.settings, accountLimits: { ...TRANSACTION } } };
}

/** Refuses every outflow of a company that the operator blocked. Each outflow checks this besides its own rules. */
export async function requireMayPay(tx: Tx): Promise<void> {
  if ((await readCompany(tx)).blocked) throw new AppError("company_blocked");
}

/** Refuses to make batches before the company accepted its contract. */
export async function requireContractAccepted(tx: Tx): Promise<void> {
  if (!(await readCompany(tx)).acceptedContract) throw new AppError("contract_not_accepted");
}

/** Refuses an action whose money function the operator suspended for the company (decision 0056). */
export async function requireFunction(tx: Tx, one: MoneyFunction): Promise<void> {
  if (isSuspended((await readCompany(tx)).permissions, one))
    throw new AppError("function_suspended", { function: moneyFunctions[one] });
}

export interface HeldAccount {
  companyId: string;
  agency: string;
  account: string;
  accountDigit: string;
}

/** Returns the accounts at the provider with these numbers (without leading zeros), over all companies. */
export async function listHeldAccounts(tx: AnyTx, numbers: readonly string[]): Promise<HeldAccount[]> {
  const { rows } = await sql<HeldAccount>`
    SELECT company_id AS "companyId", account_agency AS agency, account_number AS account, account_digit AS "accountDigit"
    FROM companies WHERE ltrim(account_number, '0') = ANY(${numbers}::text[])
  `.execute(tx);
  return rows;
}

/** Writes the named settings and leaves the others, also under concurrent writes. */
export async function changeSettings(tx: Tx, changed: Partial<StoredSettings>): Promise<void> {
  await sql`
    UPDATE companies SET settings = settings || ${json(changed)} WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/**
 * Locks the company's row to the end of the transaction, so that read-then-write actions run one after another.
 * Concurrent inserts of a limited kind thus count correctly, and the audit trail records the correct previous value.
 */
export async function lockCompany(tx: Tx): Promise<void> {
  await sql`SELECT FROM companies WHERE company_id = ${tx.companyId} FOR NO KEY UPDATE`.execute(tx);
}

/**
 * Bank account at another bank that receives the company's withdrawals. Uses wire names, because it is stored and
 * returned as sent.
 */
export interface CompanyBankAccount {
  bank_id: string;
  agency: string;
  agency_digit: string | null;
  account_type: AccountType;
  account: string;
  account_digit: string;
  name: string;
  cpfCnpj: string;
}

const fields: Readonly<Record<keyof CompanyBankAccount, true>> = {
  bank_id: true,
  agency: true,
  agency_digit: true,
  account_type: true,
  account: true,
  account_digit: true,
  name: true,
  cpfCnpj: true,
};

/** Compares all fields. The order of fields and the difference between null and a missing field do not matter. */
export const isSameBankAccount = (one: CompanyBankAccount, other: CompanyBankAccount): boolean =>
  (Object.keys(fields) as (keyof CompanyBankAccount)[]).every(
    (field) => (one[field] ?? null) === (other[field] ?? null),
  );

export async function findBankAccountState(tx: Tx): Promise<AccountInForce<CompanyBankAccount> | undefined> {
  const { rows } = await sql<AccountInForce<CompanyBankAccount>>`
    SELECT account, changed_at AS "changedAt", account_before AS before FROM company_bank_accounts
    WHERE company_id = ${tx.companyId} AND source = 'WITHDRAW'
  `.execute(tx);
  return rows[0];
}

export const findBankAccount = async (tx: Tx): Promise<CompanyBankAccount | undefined> =>
  (await findBankAccountState(tx))?.account;

/** Saves an account. Without a date of change, withdrawals to it do not wait. */
export async function saveBankAccount(
  tx: Tx,
  account: CompanyBankAccount,
  { changedAt, before }: Pick<AccountInForce<CompanyBankAccount>, "changedAt" | "before"> = {
    changedAt: null,
    before: null,
  },
): Promise<void> {
  await sql`
    INSERT INTO company_bank_accounts (company_id, source, account, changed_at, account_before)
    VALUES (${tx.companyId}, 'WITHDRAW', ${json(account)}, ${changedAt}, ${before && JSON.stringify(before, wholeTextAndNames)}::jsonb)
    ON CONFLICT (company_id, source) DO UPDATE SET account = excluded.account, changed_at = excluded.changed_at,
      account_before = excluded.account_before
  `.execute(tx);
}

/** Returns whether one user, or the company when no user is given, has the checkpoint. */
export async function hasCheckpoint(tx: Tx, checkpointId: string, userId?: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM checkpoints
      WHERE company_id = ${tx.companyId} AND checkpoint_id = ${checkpointId}
        AND CASE WHEN ${userId ?? null}::uuid IS NULL THEN for_company ELSE user_id = ${userId ?? null}::uuid END
    ) AS found
  `.execute(tx);
  return rows[0]?.found === true;
}

/** First steps of the company in its own data; the second factor is the given user's. */
export async function findOwnFirstSteps(
  tx: Tx,
  userId: string,
): Promise<{ withdrawal_account: boolean; second_factor: boolean }> {
  return onlyRow(
    await sql<{ withdrawal_account: boolean; second_factor: boolean }>`
      SELECT
        EXISTS (SELECT FROM company_bank_accounts WHERE company_id = ${tx.companyId} AND source = 'WITHDRAW') AS withdrawal_account,
        ${sqlHasSecondFactor(sql`${tx.companyId}::uuid`, sql`${userId}::uuid`)} AS second_factor
    `.execute(tx),
  );
}

/** Adds a checkpoint. Returns true when it is new; a repeated one changes nothing. */
export async function addCheckpoint(
  tx: Tx,
  checkpoint: {
    id: string;
    userId: string;
    metadata: Record<string, string>;
    now: Date;
    /** False for a user's own part of a step that the whole company has yet to complete. */
    forCompany?: boolean;
  },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO checkpoints (company_id, checkpoint_id, user_id, metadata, created_at, for_company)
    VALUES (${tx.companyId}, ${checkpoint.id}, ${checkpoint.userId}, ${json(checkpoint.metadata)}, ${checkpoint.now},
            ${checkpoint.forCompany ?? true})
    ON CONFLICT (company_id, checkpoint_id, user_id) DO UPDATE SET for_company = true
    WHERE excluded.for_company AND NOT checkpoints.for_company
    RETURNING checkpoint_id
  `.execute(tx);
  return rows.length > 0;
}

export async function readTwoFactorState(
  tx: Tx,
  userId: string,
): Promise<{ hasTwoFactorEnabled: boolean; isTwoFactorEnforced: boolean }> {
  const { rows } = await sql<{ hasTwoFactorEnabled: boolean; isTwoFactorEnforced: boolean }>`
    SELECT u.two_factor_at IS NOT NULL AS "hasTwoFactorEnabled",
           coalesce((c.settings->>'requiresTwoFactor')::boolean, false) AS "isTwoFactorEnforced"
    FROM companies c ${sqlJoinUser(sql`c.company_id`, sql`${userId}::uuid`)}
    WHERE c.company_id = ${tx.companyId}
  `.execute(tx);
  if (!rows[0]) throw new Error(`no user ${userId}`);
  return rows[0];
}

const json = (value: object): RawBuilder<unknown> => sql`${JSON.stringify(value, wholeTextAndNames)}::jsonb`;
