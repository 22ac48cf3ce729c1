/** Validations as rows; each query is one function. */
import type { DataToValidate } from "@malote/domain/validation";
import type { ValidationError } from "@malote/domain/validation-texts";
import type { MicroDepositStatus, ValidationType } from "@malote/domain/validation-types";
import { type RawBuilder, sql } from "kysely";
import { holdsWords, shownOf } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export type ValidationSource = "APP" | "API";

export interface ValidationRow extends DataToValidate {
  id: string;
  type: ValidationType;
  valid: boolean | null;
  errors: ValidationError[];
  microDepositStatus: MicroDepositStatus | null;
  transferId: string | null;
  validatedAt: Date | null;
  createdAt: Date;
}

const columns = sql`v.id, v.type, v.name, v.tax_id AS "taxId", v.bank_ispb AS "bankIspb", v.agency,
  v.agency_digit AS "agencyDigit", v.account, v.account_digit AS "accountDigit", v.account_type AS "accountType",
  v.pix_key_type AS "pixKeyType", v.pix_key AS "pixKey", v.pix_key_validation AS "pixKeyValidation", v.valid, v.errors,
  v.micro_deposit_status AS "microDepositStatus", v.transfer_id AS "transferId", v.validated_at AS "validatedAt",
  v.created_at AS "createdAt"`;

interface NewValidation extends DataToValidate {
  id: string;
  type: ValidationType;
  source: ValidationSource;
  /** Null while a micro deposit is pending. */
  valid: boolean | null;
  errors: readonly ValidationError[];
  transferId: string | null;
  createdBy: string | null;
  createdByName: string;
  now: Date;
}

export async function insertValidation(tx: Tx, made: NewValidation): Promise<void> {
  const { valid, now } = made;
  await sql`
    INSERT INTO validations (company_id, id, type, source, name, tax_id, bank_ispb, agency, agency_digit, account,
      account_digit, account_type, pix_key_type, pix_key, pix_key_validation, valid, errors, transfer_id, validated_at,
      created_at, created_by, created_by_name)
    VALUES (${tx.companyId}, ${made.id}, ${made.type}, ${made.source}, ${made.name}, ${made.taxId}, ${made.bankIspb},
      ${made.agency}, ${made.agencyDigit}, ${made.account}, ${made.accountDigit}, ${made.accountType},
      ${made.pixKeyType}, ${made.pixKey}, ${made.pixKeyValidation}, ${valid}, ${JSON.stringify(made.errors)}::jsonb,
      ${made.transferId}, ${valid === null ? null : now}, ${now}, ${made.createdBy}, ${made.createdByName})
  `.execute(tx);
}

/** Counts the micro deposits that a user requested since then; null counts those of credentials. */
export async function countMicroDepositsSince(
  tx: Tx,
  createdBy: string | null,
  since: Date,
): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM validations v
      WHERE v.company_id = ${tx.companyId} AND v.created_at > ${since} AND v.transfer_id IS NOT NULL
        AND v.created_by IS NOT DISTINCT FROM ${createdBy}::uuid
    `.execute(tx),
  ).count;
}

export async function findValidation(tx: Tx, id: string): Promise<ValidationRow | undefined> {
  const { rows } = await sql<ValidationRow>`
    SELECT ${columns} FROM validations v WHERE v.company_id = ${tx.companyId} AND v.id = ${id}
  `.execute(tx);
  return rows[0];
}

export interface ValidationFilters {
  type?: ValidationType | undefined;
  search?: string | undefined;
  valid?: boolean | undefined;
  /** Filters micro deposits: true for those with an outcome, false for pending ones. */
  isDepositEnded?: boolean | undefined;
  /** Filters from `from` (inclusive) to `until` (exclusive). */
  from?: Date | undefined;
  until?: Date | undefined;
  source?: ValidationSource | undefined;
  /** False for people who see masked CPFs, whose search does not match parts of one. */
  whole: boolean;
}

function conditions(filters: ValidationFilters): RawBuilder<unknown> {
  const { type, search = "", valid, isDepositEnded, from, until, source, whole } = filters;
  return sql.join(
    [
      holdsWords(whole ? sql`v.search_text` : shownOf(sql`v.search_text`), search),
      ...(type ? [sql`v.type = ${type}`] : []),
      ...(valid === undefined ? [] : [sql`v.valid = ${valid}::boolean`]),
      ...(isDepositEnded === undefined
        ? []
        : [
            sql`v.transfer_id IS NOT NULL AND (v.micro_deposit_status IS NOT NULL) = ${isDepositEnded}::boolean`,
          ]),
      ...(from ? [sql`v.created_at >= ${from}`] : []),
      ...(until ? [sql`v.created_at < ${until}`] : []),
      ...(source ? [sql`v.source = ${source}`] : []),
    ],
    sql` AND `,
  );
}

/** Returns a page, the newest first, and the number of rows that match the filters. */
export async function listPage(
  tx: Tx,
  filters: ValidationFilters,
  { page, size }: { page: number; size: number },
): Promise<{ rows: ValidationRow[]; count: number }> {
  const matching = sql`v.company_id = ${tx.companyId} AND ${conditions(filters)}`;
  const [counted, { rows }] = await Promise.all([
    sql<{ count: number }>`SELECT count(*)::int AS count FROM validations v WHERE ${matching}`.execute(tx),
    sql<ValidationRow>`
      SELECT ${columns} FROM validations v WHERE v.company_id = ${tx.companyId} AND v.id = ANY(ARRAY(
        SELECT v.id FROM validations v WHERE ${matching}
        ORDER BY v.created_at DESC, v.id DESC LIMIT ${size} OFFSET ${page * size}))
      ORDER BY v.created_at DESC, v.id DESC
    `.execute(tx),
  ]);
  return { rows, count: onlyRow(counted).count };
}

export async function findValidationByTransfer(
  tx: Tx,
  transferId: string,
): Promise<ValidationRow | undefined> {
  const { rows } = await sql<ValidationRow>`
    SELECT ${columns} FROM validations v WHERE v.company_id = ${tx.companyId} AND v.transfer_id = ${transferId} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function recordOutcome(
  tx: Tx,
  id: string,
  outcome: { status: MicroDepositStatus; errors: readonly ValidationError[]; now: Date },
): Promise<void> {
  const { status, errors, now } = outcome;
  await sql`
    UPDATE validations SET valid = ${errors.length === 0}, errors = ${JSON.stringify(errors)}::jsonb,
      micro_deposit_status = ${status}, validated_at = ${now}
    WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}
