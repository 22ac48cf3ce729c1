/** What the simulator reads of the product, over all companies. */
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";

export interface SimulatedCompany {
  id: string;
  name: string;
  cpf_cnpj: string;
  balance: number;
  waiting_value: number;
  pix_key: string;
}

export async function listCompanies(tx: AnyTx): Promise<SimulatedCompany[]> {
  const { rows } = await sql<SimulatedCompany>`
    SELECT c.company_id AS id, c.name, c.tax_id AS cpf_cnpj,
           coalesce(a.balance, 0) AS balance,
           coalesce(w.value, 0)::bigint AS waiting_value,
           coalesce(k.key, '') AS pix_key
    FROM companies c
    LEFT JOIN ledger_accounts a ON a.company_id = c.company_id AND a.account = 'available'
    LEFT JOIN LATERAL (
      SELECT sum(value) AS value FROM batches b WHERE b.company_id = c.company_id AND b.status = 'WAITING'
    ) w ON true
    LEFT JOIN LATERAL (
      SELECT key FROM pix_keys p WHERE p.company_id = c.company_id AND p.status = 'REGISTERED'
      ORDER BY created_at, id LIMIT 1
    ) k ON true
    ORDER BY c.created_at, c.company_id
  `.execute(tx);
  return rows;
}

/** The one of these forms under which a company of ours registered the key. */
export async function findRegisteredKey(tx: AnyTx, forms: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM pix_keys WHERE key = ANY(${forms}::text[]) AND status = 'REGISTERED' LIMIT 1
  `.execute(tx);
  return rows[0]?.key;
}
