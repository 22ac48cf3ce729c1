import type { AccountType } from "@malote/domain/bank-account";
import { limitsOf } from "@malote/domain/payment-limits";
import {
  isSuspended,
  type MoneyFunction,
  moneyFunctions,
  payoutFunctionOf,
} from "@malote/domain/suspended-functions";
import type { AccountInForce } from "@malote/domain/withdrawal";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { wholeTextAndNames } from "../platform/db/whole-text.ts";
import type { StoredSettings } from "./settings.ts";

export interface Company {
  id: string;
  name: string;
  taxId: string;
  brand: "malote" | "horizonte";
  blocked: boolean;
  acceptedContract: boolean;
  /** The codes it holds, or `all` (SES-058). */
  permissions: readonly string[];
  /** The company's account at the provider. */
  agency: string;
  account: string;
  accountDigit: string;
  /** The city of the company's address, where it gave one. */
  city: string | null;
  settings: StoredSettings;
}

/** With the limits of one payment that hold for it, its own or the installation's (SES-074). */
export async function readCompany(tx: Tx): Promise<Company> {
  const { rows } = await sql<Company>`
    ${prepared} SELECT company_id AS id, name, tax_id AS "taxId", brand, blocked, accepted_contract AS "acceptedContract",
           permissions, account_agency AS agency, account_number AS account, account_digit AS "accountDigit", address ->> 'city' AS city, settings
    FROM companies WHERE company_id = ${tx.companyId}
  `.execute(tx);
  const [company] = rows;
  if (!company) throw new Error(`no company ${tx.companyId}`);
  const { TRANSACTION } = limitsOf(company.settings, tx.installation);
  return { ...company, settings: { ...company.settings, accountLimits: { ...TRANSACTION } } };
}

/** What every way out of money asks beside its own rules: a company that the operator blocked lets none leave. */
export async function expectMayPay(tx: Tx): Promise<void> {
  if ((await readCompany(tx)).blocked) throw new AppError("company_blocked");
}

/** Refuses what moves money by a function that the operator suspended for the company (decision 0056). */
export async function expectFunction(tx: Tx, one: MoneyFunction): Promise<void> {
  if (isSuspended((await readCompany(tx)).permissions, one))
    throw new AppError("function_suspended", { function: moneyFunctions[one] });
}

/** Whether it is blocked, of the company `c`, asked in SQL by work in the background: it is done once the block has ended. */
export const sqlMayPay = sql`NOT c.blocked`;

/** `isSuspended` of the domain, of the company `c`. */
export const sqlHolds = (one: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(c.permissions && ARRAY['all', ${one}])`;

const sqlFunctionOfPayment = sql`CASE t.payment_method ${sql.join(
  Object.entries(payoutFunctionOf).map(([method, one]) => sql`WHEN ${sql.lit(method)} THEN ${sql.lit(one)}`),
  sql` `,
)} END`;

/** Of a payment `t` of the company `c`: it may leave now. Otherwise it waits, until the block or the suspension ends. */
export const sqlMayLeave = sql`(${sqlMayPay} AND ${sqlHolds(sqlFunctionOfPayment)})`;

export interface HeldAccount {
  companyId: string;
  agency: string;
  account: string;
  accountDigit: string;
}

/** Accounts at the provider by their numbers without the zeros before them, over all companies. */
export async function companiesOfAccounts(tx: AnyTx, numbers: readonly string[]): Promise<HeldAccount[]> {
  const { rows } = await sql<HeldAccount>`
    SELECT company_id AS "companyId", account_agency AS agency, account_number AS account, account_digit AS "accountDigit"
    FROM companies WHERE ltrim(account_number, '0') = ANY(${numbers}::text[])
  `.execute(tx);
  return rows;
}

/** Writes the named settings and leaves the others as they are, also against another writer. */
export async function changeSettings(tx: Tx, changed: Partial<StoredSettings>): Promise<void> {
  await sql`
    UPDATE companies SET settings = settings || ${json(changed)} WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/**
 * The company's row, held to the end of the transaction: what reads before it writes runs one after another. No two inserts of
 * a kind that is bounded count the same rows, and the trail has the right value before.
 */
export async function lockCompany(tx: Tx): Promise<void> {
  await sql`SELECT FROM companies WHERE company_id = ${tx.companyId} FOR NO KEY UPDATE`.execute(tx);
}

/** Where its withdrawals go, at another bank. In the wire's own names: it is kept as it was sent and given back as it is. */
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

/** Field by field: in which order a copy holds them says nothing, nor whether it left an empty one out. */
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

/** An account for which withdrawals do not wait, unless a date of change is given. */
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

/** For one user, or for all of the company. */
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

export interface FirstSteps {
  withdrawal_account: boolean;
  second_factor: boolean;
  receiver: boolean;
  batch: boolean;
}

/** Which of them the company has done; the second factor is this person's. */
export async function findFirstSteps(tx: Tx, userId: string): Promise<FirstSteps> {
  return onlyRow(
    await sql<FirstSteps>`
      SELECT
        EXISTS (SELECT FROM company_bank_accounts WHERE company_id = ${tx.companyId} AND source = 'WITHDRAW') AS withdrawal_account,
        EXISTS (SELECT FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND two_factor_at IS NOT NULL) AS second_factor,
        EXISTS (SELECT FROM receivers WHERE company_id = ${tx.companyId}) AS receiver,
        EXISTS (SELECT FROM batches WHERE company_id = ${tx.companyId} AND type IN ('TRANSFER', 'BILLET')) AS batch
    `.execute(tx),
  );
}

/** True when it is new. The first time counts; a repeated one changes nothing. */
export async function addCheckpoint(
  tx: Tx,
  checkpoint: {
    id: string;
    userId: string;
    metadata: Record<string, string>;
    now: Date;
    /** False for a person's own part of what the whole company has yet to do. */
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

/** CPFs and CNPJs that may not be paid. */
export async function blockedTaxIds(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{
    tax_id: string;
  }>`${prepared} SELECT tax_id FROM blocked_tax_ids ORDER BY tax_id`.execute(tx);
  return new Set(rows.map((row) => row.tax_id));
}

export async function isTaxIdBlocked(tx: Tx, taxId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM blocked_tax_ids WHERE tax_id = ${taxId}`.execute(tx);
  return rows.length > 0;
}

export async function readTwoFactorState(
  tx: Tx,
  userId: string,
): Promise<{ hasTwoFactorEnabled: boolean; isTwoFactorEnforced: boolean }> {
  const { rows } = await sql<{ hasTwoFactorEnabled: boolean; isTwoFactorEnforced: boolean }>`
    SELECT u.two_factor_at IS NOT NULL AS "hasTwoFactorEnabled",
           coalesce((c.settings->>'requiresTwoFactor')::boolean, false) AS "isTwoFactorEnforced"
    FROM users u JOIN companies c ON c.company_id = u.company_id
    WHERE u.company_id = ${tx.companyId} AND u.id = ${userId}
  `.execute(tx);
  if (!rows[0]) throw new Error(`no user ${userId}`);
  return rows[0];
}

const json = (value: object): RawBuilder<unknown> => sql`${JSON.stringify(value, wholeTextAndNames)}::jsonb`;
