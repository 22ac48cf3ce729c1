/** The company's keys in the Pix directory, with the pending request of each. */
import type { ErrorCode } from "@malote/contracts/errors";
import type { CalendarDate } from "@malote/domain/calendar";
import { type PixKeyStatus, payableStatuses, pixKeyTransitions } from "@malote/domain/own-pix-key";
import type { PixKeyType } from "@malote/domain/pix-key";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export type RequestKind = "register" | "remove" | "claim" | "cancel_claim" | "confirm_claim";

export interface PixKeyRow {
  id: string;
  key_type: PixKeyType;
  key: string | null;
  status: PixKeyStatus;
  ownership_date: Date | null;
  updated_at: Date;
  error_code: ErrorCode | null;
  /** Encrypted. */
  code_secret: string | null;
  code_sent_at: Date | null;
  code_tries: number;
  code_sends: number;
  /** The day of the last code, in São Paulo. */
  code_day: CalendarDate | null;
  code_day_sends: number;
  claim_id: string | null;
  ask: RequestKind | null;
  ask_id: string | null;
  asked_at: Date | null;
}

const columns = sql`
  id, key_type, key, status, ownership_date, updated_at, error_code, code_secret, code_sent_at, code_tries, code_sends,
  code_day, code_day_sends, claim_id, ask, ask_id, asked_at`;

/** Returns the keys, the oldest first, without removed ones, whose rows stay. */
export async function listPixKeys(tx: Tx): Promise<PixKeyRow[]> {
  const { rows } = await sql<PixKeyRow>`
    SELECT ${columns} FROM pix_keys WHERE company_id = ${tx.companyId} AND status <> 'REMOVED' ORDER BY created_at, id
  `.execute(tx);
  return rows;
}

export async function findPixKey(tx: Tx, id: string): Promise<PixKeyRow | undefined> {
  const { rows } = await sql<PixKeyRow>`
    SELECT ${columns} FROM pix_keys WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
  return rows[0];
}

export async function lockPixKey(tx: Tx, id: string): Promise<PixKeyRow | undefined> {
  const { rows } = await sql<PixKeyRow>`
    SELECT ${columns} FROM pix_keys WHERE company_id = ${tx.companyId} AND id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function lockPixKeyOfClaim(tx: Tx, claimId: string): Promise<PixKeyRow | undefined> {
  const { rows } = await sql<PixKeyRow>`
    SELECT ${columns} FROM pix_keys WHERE company_id = ${tx.companyId} AND claim_id = ${claimId} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function lockPixKeyByKey(tx: Tx, key: string): Promise<PixKeyRow | undefined> {
  const { rows } = await sql<PixKeyRow>`
    SELECT ${columns} FROM pix_keys
    WHERE company_id = ${tx.companyId} AND key = ${key} AND status <> 'REMOVED' FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Counts all codes of keys that got one after `since`, including earlier codes of the same keys. */
export async function countCodesSince(tx: Tx, since: Date): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    SELECT coalesce(sum(code_sends), 0)::int AS sent FROM pix_keys
    WHERE company_id = ${tx.companyId} AND code_sent_at > ${since}
  `.execute(tx);
  return rows[0]?.sent ?? 0;
}

const isToAnswer = (tx: Tx) => sql`
  company_id = ${tx.companyId} AND status IN ('WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL')
    AND ask IS NULL AND key IS NOT NULL`;

/** Returns keys that others claim, the oldest first, because its deadline comes first. */
export async function listKeysToAnswer(
  tx: Tx,
  max: number,
): Promise<Pick<PixKeyRow, "id" | "key" | "status" | "updated_at">[]> {
  const { rows } = await sql<Pick<PixKeyRow, "id" | "key" | "status" | "updated_at">>`
    SELECT id, key, status, updated_at FROM pix_keys
    WHERE ${isToAnswer(tx)}
    ORDER BY updated_at, id LIMIT ${max}
  `.execute(tx);
  return rows;
}

/** Counts the keys that `listKeysToAnswer` returns. */
export async function countKeysToAnswer(tx: Tx, max: number): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM pix_keys WHERE ${isToAnswer(tx)} LIMIT ${max}) found
    `.execute(tx),
  ).count;
}

/** Counts the codes that the holder of the key got on this day, across all companies and removed keys. */
export async function countCodesTo(tx: Tx, key: string, day: CalendarDate): Promise<number> {
  return onlyRow(
    await sql<{ sent: number }>`SELECT pix_key_codes_on(${key}, ${day})::int AS sent`.execute(tx),
  ).sent;
}

export async function insertPixKey(tx: Tx, row: PixKeyRow): Promise<void> {
  await sql`
    INSERT INTO pix_keys (company_id, created_at, ${columns})
    VALUES (${tx.companyId}, ${row.updated_at}, ${row.id}, ${row.key_type}, ${row.key}, ${row.status}, ${row.ownership_date},
            ${row.updated_at}, ${row.error_code}, ${row.code_secret}, ${row.code_sent_at}, ${row.code_tries},
            ${row.code_sends}, ${row.code_day}, ${row.code_day_sends}, ${row.claim_id}, ${row.ask}, ${row.ask_id}, ${row.asked_at})
  `.execute(tx);
}

/** Updates a locked row. Throws when its status does not allow the step. */
export async function writePixKey(tx: Tx, row: PixKeyRow): Promise<void> {
  const { rows } = await sql`
    UPDATE pix_keys SET key = ${row.key}, status = ${row.status}, ownership_date = ${row.ownership_date},
      updated_at = ${row.updated_at}, error_code = ${row.error_code}, code_secret = ${row.code_secret},
      code_sent_at = ${row.code_sent_at}, code_tries = ${row.code_tries}, code_sends = ${row.code_sends},
      code_day = ${row.code_day}, code_day_sends = ${row.code_day_sends}, claim_id = ${row.claim_id}, ask = ${row.ask}, ask_id = ${row.ask_id}, asked_at = ${row.asked_at}
    WHERE company_id = ${tx.companyId} AND id = ${row.id}
      AND (status = ${row.status} OR status IN ${movesTo(pixKeyTransitions, row.status)})
    RETURNING id
  `.execute(tx);
  if (rows.length !== 1) throw new Error(`Pix key ${row.id} may not become ${row.status}`);
}

/**
 * Returns the holders, among all companies, of a key that can still receive money. The directory gives a key one
 * holder.
 */
export async function listCompaniesPayableBy(tx: AnyTx, key: string): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT company_id FROM pix_keys WHERE key = ${key} AND status <> 'REMOVED' AND status = ANY(${[...payableStatuses]}::text[])
  `.execute(tx);
  return rows.map((row) => row.company_id);
}

export interface KeyOfCompany {
  companyId: string;
  keyId: string;
}

/** Returns keys whose request is so old that its job must have been lost. */
export async function listKeysRequestedBefore(tx: AnyTx, instant: Date): Promise<KeyOfCompany[]> {
  const { rows } = await sql<KeyOfCompany>`
    SELECT company_id AS "companyId", id AS "keyId" FROM pix_keys WHERE ask IS NOT NULL AND asked_at <= ${instant}
    ORDER BY asked_at LIMIT 500
  `.execute(tx);
  return rows;
}

/** Returns keys whose claim by others has waited for our answer from before `instant`. */
export async function listKeysToAnswerSince(tx: AnyTx, instant: Date): Promise<KeyOfCompany[]> {
  const { rows } = await sql<KeyOfCompany>`
    SELECT company_id AS "companyId", id AS "keyId" FROM pix_keys
    WHERE status IN ('WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL') AND updated_at <= ${instant}
    ORDER BY updated_at LIMIT 500
  `.execute(tx);
  return rows;
}
