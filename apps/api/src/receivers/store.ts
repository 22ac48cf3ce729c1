/** Receivers as rows; each query is one function. */
import type { ReceiverStatus } from "@malote/contracts/receivers";
import { pageSize } from "@malote/domain/limits";
import type { Destination } from "@malote/domain/transfer";
import { type RawBuilder, sql } from "kysely";
import { holdsWords, shownOf } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { isUniqueViolation } from "../platform/db/unique-violation.ts";

export interface ReceiverRow {
  id: string;
  name: string | null;
  tax_id: string | null;
  email: string | null;
  bank_ispb: string | null;
  agency: string | null;
  agency_digit: string | null;
  account: string | null;
  account_digit: string | null;
  account_type: string | null;
  pix_key_type: string | null;
  pix_key: string | null;
  status: ReceiverStatus;
  status_description: string | null;
  paid_at: Date | null;
  paid_value: number | null;
}

const columns = sql`r.id, r.name, r.tax_id, r.email, r.bank_ispb, r.agency, r.agency_digit, r.account, r.account_digit,
  r.account_type, r.pix_key_type, r.pix_key, r.status, r.status_description, r.paid_at, r.paid_value`;

export interface ReceiverFilters {
  bankId?: string | undefined;
  status?: ReceiverStatus | undefined;
  search?: string | undefined;
  /** False for people who see masked CPFs: a search over hidden digits would reveal them one by one. */
  whole: boolean;
}

const searchText = sql`r.search_text`;

function conditions({ bankId, status, search = "", whole }: ReceiverFilters): RawBuilder<unknown> {
  const text = whole ? searchText : shownOf(searchText);
  return sql.join(
    [
      sql`true`,
      ...(bankId ? [sql`r.bank_ispb = ${bankId}`] : []),
      ...(status ? [sql`r.status = ${status}`] : []),
      holdsWords(text, search),
    ],
    sql` AND `,
  );
}

export async function hasAnyReceiver(tx: Tx): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
      SELECT EXISTS (SELECT FROM receivers WHERE company_id = ${tx.companyId}) AS any
    `.execute(tx),
  ).any;
}

/** Returns a page in order of name, and the number of rows that match the filters. */
export async function listPage(
  tx: Tx,
  filters: ReceiverFilters,
  page: number,
): Promise<{ rows: ReceiverRow[]; count: number }> {
  const { ids, count } = await (filters.search ? findMatching : countAndCut)(
    tx,
    sql`FROM receivers r WHERE r.company_id = ${tx.companyId} AND ${conditions(filters)}`,
    sql`LIMIT ${pageSize} OFFSET ${page * pageSize}`,
  );
  return { rows: await listInOrder(tx, ids), count };
}

interface Found {
  ids: string[];
  count: number;
}

/** Finds page and count in one scan of the texts, because few rows match. */
async function findMatching(tx: Tx, matching: RawBuilder<unknown>, cut: RawBuilder<unknown>): Promise<Found> {
  return onlyRow(
    await sql<Found>`
      WITH found AS MATERIALIZED (SELECT r.id, r.name_order ${matching})
      SELECT (SELECT count(*) FROM found)::int AS count,
        ARRAY(SELECT id FROM found ORDER BY name_order, id ${cut}) AS ids
    `.execute(tx),
  );
}

/** Counts, and reads the page from the index in its order, because most rows match. */
async function countAndCut(tx: Tx, matching: RawBuilder<unknown>, cut: RawBuilder<unknown>): Promise<Found> {
  const [counted, { rows }] = await Promise.all([
    sql<{ count: number }>`SELECT count(*)::int AS count ${matching}`.execute(tx),
    sql<{ id: string }>`SELECT r.id ${matching} ORDER BY r.name_order, r.id ${cut}`.execute(tx),
  ]);
  return { ids: rows.map(({ id }) => id), count: onlyRow(counted).count };
}

/** Returns the first matches in order of name; the index scan stops as soon as they are found. */
export async function listFirst(
  tx: Tx,
  filters: Pick<ReceiverFilters, "search" | "whole">,
  max: number,
): Promise<ReceiverRow[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM receivers r WHERE r.company_id = ${tx.companyId} AND ${conditions(filters)}
    ORDER BY r.name_order, r.id LIMIT ${max}
  `.execute(tx);
  return listInOrder(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Loads the rows of the given ids, in order. */
async function listInOrder(tx: Tx, ids: readonly string[]): Promise<ReceiverRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReceiverRow>`
    SELECT ${columns} FROM receivers r WHERE r.company_id = ${tx.companyId} AND r.id = ANY(${ids}::uuid[])
    ORDER BY r.name_order, r.id
  `.execute(tx);
  return rows;
}

export async function findReceiver(tx: Tx, id: string): Promise<ReceiverRow | undefined> {
  const { rows } = await sql<ReceiverRow>`
    SELECT ${columns} FROM receivers r WHERE r.company_id = ${tx.companyId} AND r.id = ${id}
  `.execute(tx);
  return rows[0];
}

/** Locks a receiver until the end of the transaction, so that concurrent changes are serialised. */
export async function lockReceiver(tx: Tx, id: string): Promise<ReceiverRow | undefined> {
  const { rows } = await sql<ReceiverRow>`
    SELECT ${columns} FROM receivers r WHERE r.company_id = ${tx.companyId} AND r.id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Adds a receiver; returns false when the company has one with this id, this key or this account. */
export async function insertReceiver(tx: Tx, id: string, to: Destination, now: Date): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO receivers (company_id, id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
      account_type, pix_key_type, pix_key, created_at)
    VALUES (${tx.companyId}, ${id}, ${to.name}, ${to.taxId}, ${to.email}, ${to.bankIspb}, ${to.agency}, ${to.agencyDigit},
      ${to.account}, ${to.accountDigit}, ${to.accountType}, ${to.pixKeyType}, ${to.pixKey}, ${now})
    ON CONFLICT DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/**
 * Updates a receiver; returns false when another one has this key or account, after which the transaction has failed.
 */
export async function updateReceiver(tx: Tx, id: string, to: Destination): Promise<boolean> {
  try {
    await sql`
      UPDATE receivers r SET name = ${to.name}, tax_id = ${to.taxId}, email = ${to.email}, bank_ispb = ${to.bankIspb},
        agency = ${to.agency}, agency_digit = ${to.agencyDigit}, account = ${to.account},
        account_digit = ${to.accountDigit}, account_type = ${to.accountType}, pix_key_type = ${to.pixKeyType},
        pix_key = ${to.pixKey},
        -- The result of a payment belongs to the key or account that it paid.
        status = CASE WHEN g.destination = r.destination THEN r.status ELSE 'CREATED' END,
        status_description = CASE WHEN g.destination = r.destination THEN r.status_description END,
        status_at = CASE WHEN g.destination = r.destination THEN r.status_at END,
        paid_at = CASE WHEN g.destination = r.destination THEN r.paid_at END,
        paid_value = CASE WHEN g.destination = r.destination THEN r.paid_value END
      FROM (SELECT receiver_destination(${to.pixKeyType}::text, ${to.pixKey}::text, ${to.bankIspb}::text,
        ${to.agency}::text, ${to.account}::text, ${to.accountDigit}::text, ${to.accountType}::text,
        ${to.taxId}::text) AS destination) g
      WHERE r.company_id = ${tx.companyId} AND r.id = ${id}
    `.execute(tx);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Deletes receivers; returns the ids of those that existed. */
export async function deleteReceivers(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM receivers r WHERE r.company_id = ${tx.companyId} AND r.id = ANY(${ids}::uuid[]) RETURNING r.id
  `.execute(tx);
  return rows.map((row) => row.id);
}
