/**
 * Ten recovery codes that replace a lost authenticator. Each works once, all are shown once, and only their hashes are
 * stored: 80 random bits need no slow hash.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Secret } from "otpauth";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { hashOfSecret } from "./secret-hash.ts";

const codesAtOnce = 10;
const codeBytes = 10;

/** Normalises a typed code: with or without hyphens, in any case. */
const plain = (code: string) => code.toLowerCase().replaceAll("-", "");
export const isRecoveryCode = (code: string): boolean => !/^\d{6}$/.test(code);

const newCode = () => {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(codeBytes)).buffer });
  return base32.toLowerCase().replace(/(.{4})(?=.)/g, "$1-");
};

/** Creates new codes and invalidates the earlier ones. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: codesAtOnce }, newCode);
  await sql`
    INSERT INTO recovery_codes (company_id, user_id, code_hash, created_at)
    SELECT ${tx.companyId}, ${userId}, hash, ${now} FROM unnest(${codes.map((code) => hashOfSecret(plain(code)))}::text[]) AS hash
  `.execute(tx);
  return codes;
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await sql`DELETE FROM recovery_codes WHERE company_id = ${tx.companyId} AND user_id = ${userId}`.execute(
    tx,
  );
}

/** Uses up a code. Returns false for a wrong or used one. */
export async function spendRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    UPDATE recovery_codes SET used_at = ${now}
    WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND code_hash = ${hashOfSecret(plain(code))} AND used_at IS NULL
    RETURNING user_id
  `.execute(tx);
  return rows.length > 0;
}

export async function countRecoveryCodes(tx: Tx, userId: string): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM recovery_codes
      WHERE company_id = ${tx.companyId} AND user_id = ${userId} AND used_at IS NULL
    `.execute(tx),
  ).count;
}
