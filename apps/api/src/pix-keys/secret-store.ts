/** Encrypted codes of Pix keys, for the operator's change of keys. */
import { sql } from "kysely";
import type { StoredSecrets } from "../platform/auth/secrets.ts";

export const codesOfPixKeys: StoredSecrets = {
  oneOfEachKey: (tx) =>
    sql<{ value: string }>`
      SELECT DISTINCT ON (substring(code_secret FROM '^([0-9a-f]{12})[.]')) code_secret AS value FROM pix_keys
      WHERE code_secret IS NOT NULL
    `.execute(tx),
  stored: (tx) =>
    sql<{ id: string; value: string }>`
      SELECT id, code_secret AS value FROM pix_keys
      WHERE company_id = ${tx.companyId} AND code_secret IS NOT NULL ORDER BY id FOR UPDATE
    `.execute(tx),
  store: (tx, id, value) =>
    sql`UPDATE pix_keys SET code_secret = ${value} WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(
      tx,
    ),
};
