/** Tables of the directory: holders of keys, claims, stored answers and reports to deliver. */
import type { ClaimKind } from "@malote/domain/own-pix-key";
import type { PixKeyType } from "@malote/domain/pix-key";
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";
import type { DirectoryAnswer, DirectoryReport, Owner } from "../../../ports/pix-directory.ts";

export interface Entry {
  key: string;
  key_type: PixKeyType;
  company_id: string | null;
  owner_name: string;
  owner_tax_id: string;
}

/** Locks the entry, so that no other transaction registers, moves or claims the key meanwhile. */
export async function lockEntry(tx: AnyTx, key: string): Promise<Entry | undefined> {
  const { rows } = await sql<Entry>`
    SELECT key, key_type, company_id, owner_name, owner_tax_id FROM sandbox.directory_entries WHERE key = ${key} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

/** Returns the given keys that companies of this installation hold. */
export async function listKeysHeldHere(tx: AnyTx, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM sandbox.directory_entries WHERE key = ANY(${keys}::text[]) AND company_id IS NOT NULL
  `.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

/** Returns true when the key was free and is registered. */
export async function insertEntry(tx: AnyTx, entry: Entry, now: Date): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO sandbox.directory_entries (key, key_type, company_id, owner_name, owner_tax_id, registered_at)
    VALUES (${entry.key}, ${entry.key_type}, ${entry.company_id}, ${entry.owner_name}, ${entry.owner_tax_id}, ${now})
    ON CONFLICT (key) DO NOTHING RETURNING key
  `.execute(tx);
  return rows.length > 0;
}

/** Deletes the entry and its past claims. */
export async function deleteEntry(tx: AnyTx, key: string): Promise<void> {
  await sql`DELETE FROM sandbox.directory_claims WHERE key = ${key}`.execute(tx);
  await sql`DELETE FROM sandbox.directory_entries WHERE key = ${key}`.execute(tx);
}

export async function moveEntry(
  tx: AnyTx,
  key: string,
  to: string | null,
  owner: Owner,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE sandbox.directory_entries
    SET company_id = ${to}, owner_name = ${owner.name}, owner_tax_id = ${owner.taxId}, registered_at = ${now}
    WHERE key = ${key}
  `.execute(tx);
}

export async function findAnswer(tx: AnyTx, requestId: string): Promise<DirectoryAnswer | undefined> {
  const { rows } = await sql<{ answer: DirectoryAnswer }>`
    SELECT answer FROM sandbox.directory_requests WHERE id = ${requestId}
  `.execute(tx);
  return rows[0]?.answer;
}

export async function saveAnswer(
  tx: AnyTx,
  requestId: string,
  answer: DirectoryAnswer,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO sandbox.directory_requests (id, answer, answered_at)
    VALUES (${requestId}, ${JSON.stringify(answer)}::jsonb, ${now})
  `.execute(tx);
}

export interface Claim {
  id: string;
  key: string;
  kind: ClaimKind;
  holder_id: string | null;
  claimer_id: string | null;
  claimer_name: string;
  claimer_tax_id: string;
  state: "OPEN" | "WAITING_RESOLUTION" | "COMPLETED" | "CANCELLED";
  opened_at: Date;
}

const claimColumns = sql`id, key, kind, holder_id, claimer_id, claimer_name, claimer_tax_id, state, opened_at`;
const isOpen = sql`state IN ('OPEN', 'WAITING_RESOLUTION')`;

export async function insertClaim(tx: AnyTx, claim: Claim): Promise<void> {
  await sql`
    INSERT INTO sandbox.directory_claims (${claimColumns})
    VALUES (${claim.id}, ${claim.key}, ${claim.kind}, ${claim.holder_id}, ${claim.claimer_id}, ${claim.claimer_name},
            ${claim.claimer_tax_id}, ${claim.state}, ${claim.opened_at})
  `.execute(tx);
}

export async function findOpenClaim(tx: AnyTx, key: string): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    SELECT ${claimColumns} FROM sandbox.directory_claims WHERE key = ${key} AND ${isOpen}
  `.execute(tx);
  return rows[0];
}

export async function lockClaim(tx: AnyTx, id: string): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    SELECT ${claimColumns} FROM sandbox.directory_claims WHERE id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function setClaimState(tx: AnyTx, id: string, state: Claim["state"]): Promise<void> {
  await sql`UPDATE sandbox.directory_claims SET state = ${state} WHERE id = ${id}`.execute(tx);
}

/** Locks open claims of keys that other institutions hold; those answer after a delay. */
export async function lockClaimsHeldOutside(tx: AnyTx): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    SELECT ${claimColumns} FROM sandbox.directory_claims WHERE holder_id IS NULL AND ${isOpen} ORDER BY id
    FOR UPDATE SKIP LOCKED
  `.execute(tx);
  return rows;
}

export async function insertReport(tx: AnyTx, report: DirectoryReport): Promise<void> {
  await sql`
    INSERT INTO sandbox.directory_news (id, payload) VALUES (${report.id}, ${JSON.stringify(report)}::jsonb)
    ON CONFLICT (id) DO NOTHING
  `.execute(tx);
}

export async function listUnacknowledgedReports(tx: AnyTx, max: number): Promise<DirectoryReport[]> {
  const { rows } = await sql<{ payload: DirectoryReport }>`
    SELECT payload FROM sandbox.directory_news WHERE heard_at IS NULL ORDER BY position LIMIT ${max}
  `.execute(tx);
  return rows.map((row) => row.payload);
}

/** Marks reports as acknowledged and returns those that were not acknowledged before. */
export async function markAcknowledged(
  tx: AnyTx,
  ids: readonly string[],
  now: Date,
): Promise<DirectoryReport[]> {
  const { rows } = await sql<{ payload: DirectoryReport }>`
    UPDATE sandbox.directory_news SET heard_at = ${now}
    WHERE id = ANY(${ids}::text[]) AND heard_at IS NULL RETURNING payload
  `.execute(tx);
  return rows.map((row) => row.payload);
}

export interface EntryWithClaim extends Entry {
  claim_id: string | null;
  claim_kind: ClaimKind | null;
  claimer_id: string | null;
  claimer_name: string | null;
}

/** Returns the keys of our companies, and keys held elsewhere that one of our companies claims. */
export async function listEntries(tx: AnyTx): Promise<EntryWithClaim[]> {
  const { rows } = await sql<EntryWithClaim>`
    SELECT e.key, e.key_type, e.company_id, e.owner_name, e.owner_tax_id,
           c.id AS claim_id, c.kind AS claim_kind, c.claimer_id, c.claimer_name
    FROM sandbox.directory_entries e
    LEFT JOIN sandbox.directory_claims c ON c.key = e.key AND c.state IN ('OPEN', 'WAITING_RESOLUTION')
    WHERE e.company_id IS NOT NULL OR c.claimer_id IS NOT NULL
    ORDER BY coalesce(c.claimer_name, e.owner_name), e.registered_at, e.key
  `.execute(tx);
  return rows;
}
