/** Product data that the simulator reads, over all companies. */
import { payableStatuses } from "@malote/domain/own-pix-key";
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";

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
      SELECT key FROM pix_keys p WHERE p.company_id = c.company_id AND p.status = ANY(${[...payableStatuses]}::text[])
      ORDER BY created_at, id LIMIT 1
    ) k ON true
    ORDER BY c.created_at, c.company_id
  `.execute(tx);
  return rows;
}

export interface ReceivedPix {
  company: { id: string; name: string };
  end_to_end_id: string;
  amount: number;
  payer_name: string | null;
  is_blocked: boolean;
  was_blocked: boolean;
}

/** Returns the last Pix received by any company. */
export async function listReceivedPix(tx: AnyTx, max: number): Promise<ReceivedPix[]> {
  const { rows } = await sql<ReceivedPix>`
    SELECT jsonb_build_object('id', p.company_id, 'name', c.name) AS company, p.end_to_end_id, p.amount, p.payer_name,
           p.status = 'blocked' AS is_blocked, p.blocked_at IS NOT NULL AS was_blocked
    FROM payins p JOIN companies c ON c.company_id = p.company_id
    WHERE p.end_to_end_id IS NOT NULL AND p.status IN ('received', 'blocked')
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${max}
  `.execute(tx);
  return rows;
}

export async function isReceivedPix(
  tx: AnyTx,
  pix: { company_id: string; end_to_end_id: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payins WHERE company_id = ${pix.company_id} AND end_to_end_id = ${pix.end_to_end_id}
  `.execute(tx);
  return rows.length > 0;
}

export async function readCompanyNames(tx: AnyTx): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string;
    name: string;
  }>`SELECT company_id AS id, name FROM companies`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the form under which a company of this installation registered the key. */
export async function findRegisteredKey(tx: AnyTx, forms: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM pix_keys WHERE key = ANY(${forms}::text[]) AND status = ANY(${[...payableStatuses]}::text[]) LIMIT 1
  `.execute(tx);
  return rows[0]?.key;
}

/** Returns the name of the registering company for each key. */
export async function readKeyHolders(tx: AnyTx, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; name: string }>`
    SELECT k.key, c.name FROM pix_keys k JOIN companies c USING (company_id) WHERE k.key = ANY(${keys}::text[])
  `.execute(tx);
  return new Map(rows.map(({ key, name }) => [key, name]));
}
