/** Encrypted secrets of second factors, for the operator's change of keys. */
import { auditChanges } from "@malote/domain/audit-trail";
import { sql } from "kysely";
import { audit } from "../platform/audit.ts";
import type { StoredSecrets } from "../platform/auth/secrets.ts";
import type { Tx } from "../platform/db/database.ts";

export const secondFactors: StoredSecrets = {
  oneOfEachKey: (tx) =>
    sql<{ value: string }>`
      SELECT DISTINCT ON (substring(two_factor_secret FROM '^([0-9a-f]{12})[.]')) two_factor_secret AS value FROM users
      WHERE two_factor_secret IS NOT NULL
    `.execute(tx),
  stored: (tx) =>
    sql<{ id: string; value: string }>`
      SELECT id, two_factor_secret AS value FROM users
      WHERE company_id = ${tx.companyId} AND two_factor_secret IS NOT NULL ORDER BY id FOR UPDATE
    `.execute(tx),
  store: (tx, id, value) =>
    sql`UPDATE users SET two_factor_secret = ${value} WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(
      tx,
    ),
};

/** Ends a user's second factor like an admin's reset: a user without it counts as new for approvals. */
export async function endTwoFactor(tx: Tx, userId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    UPDATE users SET two_factor_at = NULL, known_since = ${now}, session_version = session_version + 1
    WHERE company_id = ${tx.companyId} AND id = ${userId} AND two_factor_at IS NOT NULL RETURNING name
  `.execute(tx);
  for (const { name } of rows)
    await audit(tx, { actor: "operator", now }, "two_factor.reset", userId, {
      name,
      changes: auditChanges({ two_factor: true }, { two_factor: false }),
    });
}
