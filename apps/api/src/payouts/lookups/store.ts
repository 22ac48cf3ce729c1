/** Stored lookups of keys and boletos, and the remaining queries of a company at the Pix directory. */

import {
  allowance,
  correctionAfter,
  grantQueries,
  minutesUntilQuery,
  refilled,
} from "@malote/domain/directory-allowance";
import type { BoletoOutcome, RegisteredBoleto } from "@malote/domain/registered-boleto";
import { type RawBuilder, sql } from "kysely";
import { sqlBlockedTaxIds } from "../../company/index.ts";
import { systemNames } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { wholeText } from "../../platform/db/whole-text.ts";
import type { KeyHolder } from "../../ports/account-check.ts";
import { sqlIsOfKind } from "../column-lists.ts";

/** Author of a lookup: a person, a company's own system, or null for a whole draft. */
export interface Requester {
  id: string | null;
  name: string;
}

export const systemRequester: Requester = { id: null, name: systemNames.system };

/** Returns the SQL for the author's name. Older rows store the product's name for the system; it shows the brand's. */
const requesterName = (row: RawBuilder<unknown>) =>
  sql`CASE WHEN ${row}.asked_by IS NULL THEN ${systemRequester.name} ELSE ${row}.asked_by_name END AS asked_by_name`;

export interface KeyToAsk {
  type: string;
  key: string;
  name: string | null;
  taxId: string | null;
}

export interface KeyLookup {
  pix_key: string;
  outcome: "found" | "not_found" | "silent";
  holder_name: string | null;
  holder_tax_id: string | null;
  holder_bank_ispb: string | null;
  is_salary_account: boolean;
  asked_by_name: string;
  asked_at: Date;
}

const keyColumns = sql`k.pix_key, k.outcome, k.holder_name, k.holder_tax_id, k.holder_bank_ispb, k.is_salary_account,
  ${requesterName(sql`k`)}, k.asked_at`;

export async function readKeyLookups(tx: Tx, keys: readonly string[]): Promise<Map<string, KeyLookup>> {
  const { rows } = await sql<KeyLookup>`
    SELECT ${keyColumns} FROM key_lookups k
    WHERE k.company_id = ${tx.companyId} AND k.pix_key = ANY(${[...keys]}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.pix_key, row]));
}

/** Returns those of these keys whose holder is blocked, by the directory's last answer. */
export async function listKeysOfBlockedHolders(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ pix_key: string }>`
    SELECT k.pix_key FROM key_lookups k JOIN (${sqlBlockedTaxIds}) b ON b.tax_id = k.holder_tax_id
    WHERE k.company_id = ${tx.companyId} AND k.pix_key = ANY(${[...keys]}::text[])
  `.execute(tx);
  return new Set(rows.map((row) => row.pix_key));
}

export interface AnsweredKey {
  asked: KeyToAsk;
  /** Holder of the key; undefined when the directory did not answer. */
  holder: KeyHolder | undefined;
}

/** Stores answers. A missing answer does not overwrite an earlier answer. */
export async function saveKeyLookups(
  tx: Tx,
  answers: readonly AnsweredKey[],
  requester: Requester,
  now: Date,
): Promise<void> {
  const records = answers.map(({ asked, holder }) => ({
    pix_key: asked.key,
    key_type: asked.type,
    outcome: holder ? (holder.found ? "found" : "not_found") : "silent",
    ...(holder?.found && {
      holder_name: holder.name,
      holder_tax_id: holder.taxId,
      holder_bank_ispb: holder.bankIspb,
    }),
    is_salary_account: holder?.found === true && holder.isSalaryAccount,
  }));
  await sql`
    INSERT INTO key_lookups AS k (company_id, pix_key, key_type, outcome, holder_name, holder_tax_id, holder_bank_ispb,
      is_salary_account, asked_by, asked_by_name, asked_at)
    SELECT ${tx.companyId}::uuid, pix_key, key_type, outcome, holder_name, holder_tax_id, holder_bank_ispb, is_salary_account,
      ${requester.id}::uuid, ${requester.name}, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(records, wholeText)}::jsonb) AS r (pix_key text, key_type text, outcome text,
      holder_name text, holder_tax_id text, holder_bank_ispb text, is_salary_account boolean)
    ORDER BY pix_key -- Two who ask about the same keys wait for each other in one order, not in a cycle.
    ON CONFLICT (company_id, pix_key) DO UPDATE SET key_type = excluded.key_type, outcome = excluded.outcome,
      holder_name = excluded.holder_name, holder_tax_id = excluded.holder_tax_id,
      holder_bank_ispb = excluded.holder_bank_ispb, is_salary_account = excluded.is_salary_account,
      asked_by = excluded.asked_by, asked_by_name = excluded.asked_by_name, asked_at = excluded.asked_at
    WHERE excluded.outcome <> 'silent' OR k.outcome = 'silent'
  `.execute(tx);
}

/**
 * Takes the tokens of up to `wanted` queries, leaves at least `spare`, and returns how many queries may be made and when
 * the next one may. The row stays locked until the transaction ends, so that two calls never take the same tokens.
 */
export async function consumeQueries(
  tx: Tx,
  wanted: number,
  spare: number,
  now: Date,
): Promise<{ granted: number; minutesUntilNext: number }> {
  if (wanted === 0) return { granted: 0, minutesUntilNext: 0 };
  await sql`
    INSERT INTO lookup_allowances (company_id, tokens, counted_at) VALUES (${tx.companyId}, ${allowance.most}, ${now})
    ON CONFLICT (company_id) DO NOTHING
  `.execute(tx);
  const stored = onlyRow(
    await sql<{ tokens: string; counted_at: Date }>`
      SELECT tokens, counted_at FROM lookup_allowances WHERE company_id = ${tx.companyId} FOR UPDATE
    `.execute(tx),
  );
  const tokens = refilled(Number(stored.tokens), now.getTime() - stored.counted_at.getTime());
  const { granted, taken } = grantQueries(tokens, wanted, spare);
  await sql`
    UPDATE lookup_allowances SET tokens = ${tokens - taken}::numeric(8, 2), counted_at = ${now}
    WHERE company_id = ${tx.companyId}
  `.execute(tx);
  return { granted, minutesUntilNext: minutesUntilQuery(tokens - taken, spare) };
}

/** Settles the price of answered queries, which were taken with the same `spare`. */
export async function settleQueries(
  tx: Tx,
  answered: { asked: number; notFound: number },
  spare: number,
): Promise<void> {
  const correction = correctionAfter(answered, spare);
  if (correction === 0) return;
  await sql`
    UPDATE lookup_allowances SET tokens = greatest(0, least(${allowance.most}, tokens + ${correction}::int))
    WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/** Adds one token per payment sent by a key: a payer does not count as trying out keys. */
export async function returnTokens(tx: Tx, count: number): Promise<void> {
  if (count === 0) return;
  await sql`
    UPDATE lookup_allowances SET tokens = least(${allowance.most}, tokens + ${count}::int)
    WHERE company_id = ${tx.companyId} AND tokens < ${allowance.most}
  `.execute(tx);
}

export interface BoletoLookup {
  barcode: string;
  outcome: BoletoOutcome;
  registered: RegisteredBoleto | null;
  asked_by_name: string;
  asked_at: Date;
}

export async function readBoletoLookups(
  tx: Tx,
  barcodes: readonly string[],
): Promise<Map<string, BoletoLookup>> {
  const { rows } = await sql<BoletoLookup>`
    SELECT b.barcode, b.outcome, b.registered, ${requesterName(sql`b`)}, b.asked_at FROM boleto_lookups b
    WHERE b.company_id = ${tx.companyId} AND b.barcode = ANY(${[...barcodes]}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.barcode, row]));
}

export async function listDraftsWithBoleto(tx: Tx, barcode: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT b.id FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE t.company_id = ${tx.companyId} AND t.barcode = ${barcode} AND b.status = 'DRAFT'
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export interface AnsweredBoleto {
  barcode: string;
  outcome: BoletoOutcome;
  boleto: RegisteredBoleto | null;
}

export async function saveBoletoLookups(
  tx: Tx,
  answers: readonly AnsweredBoleto[],
  requester: Requester,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO boleto_lookups AS b (company_id, barcode, outcome, registered, asked_by, asked_by_name, asked_at)
    SELECT ${tx.companyId}::uuid, barcode, outcome, nullif(boleto, 'null'::jsonb), ${requester.id}::uuid, ${requester.name},
      ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(answers, wholeText)}::jsonb) AS r (barcode text, outcome text, boleto jsonb)
    ORDER BY barcode
    ON CONFLICT (company_id, barcode) DO UPDATE SET outcome = excluded.outcome, registered = excluded.registered,
      asked_by = excluded.asked_by, asked_by_name = excluded.asked_by_name, asked_at = excluded.asked_at
    WHERE excluded.outcome <> 'silent' OR b.outcome = 'silent'
  `.execute(tx);
}

/** Returns the keys of a draft without errors and the barcodes that the register may know, up to `max` of each. */
export async function listKeysAndBarcodes(
  tx: Tx,
  batchId: string,
  max: number,
): Promise<{ keys: KeyToAsk[]; barcodes: string[] }> {
  const ofDraft = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'`;
  const [keys, barcodes] = await Promise.all([
    sql<KeyToAsk>`
      SELECT DISTINCT ON (t.pix_key) t.pix_key_type AS type, t.pix_key AS key, t.name,
        coalesce(t.pix_key_validation, t.tax_id) AS "taxId"
      FROM transfers t WHERE ${ofDraft} AND t.errors IS NULL AND t.pix_key IS NOT NULL ORDER BY t.pix_key, t.position LIMIT ${max}
    `.execute(tx),
    sql<{ barcode: string }>`
      SELECT DISTINCT t.barcode FROM transfers t
      WHERE ${ofDraft} AND ${sqlIsOfKind.BILLET} AND t.barcode IS NOT NULL
        -- Only the register knows whether an overdue boleto can still be paid.
        AND (t.errors IS NULL OR t.errors @> '[{"code":"billet_overdue"}]') LIMIT ${max}
    `.execute(tx),
  ]);
  return { keys: keys.rows, barcodes: barcodes.rows.map(({ barcode }) => barcode) };
}
