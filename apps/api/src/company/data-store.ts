import type { Address } from "@malote/domain/address";
import type { LogoType } from "@malote/domain/logo";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

export interface StoredLogo {
  key: string;
  type: LogoType;
}

export interface StoredData {
  name: string;
  taxId: string;
  phone: string | null;
  address: Address | null;
  logo: StoredLogo | null;
  blocked: boolean;
}

export async function readCompanyData(tx: Tx): Promise<StoredData> {
  const { rows } = await sql<
    Omit<StoredData, "logo"> & { logoKey: string | null; logoType: LogoType | null }
  >`
    SELECT name, tax_id AS "taxId", phone, address, logo_key AS "logoKey", logo_type AS "logoType", blocked
    FROM companies WHERE company_id = ${tx.companyId}
  `.execute(tx);
  if (!rows[0]) throw new Error(`no company ${tx.companyId}`);
  const { logoKey, logoType, ...data } = rows[0];
  return { ...data, logo: logoKey && logoType ? { key: logoKey, type: logoType } : null };
}

export async function changePhone(tx: Tx, phone: string | null): Promise<void> {
  await sql`UPDATE companies SET phone = ${phone} WHERE company_id = ${tx.companyId}`.execute(tx);
}

export async function changeAddress(tx: Tx, address: Address | null): Promise<void> {
  await sql`
    UPDATE companies SET address = ${address && JSON.stringify(address)}::jsonb WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/**
 * Replaces the logo and returns the previous one. A concurrent change waits for the row lock and returns the first
 * one's logo.
 */
export async function changeLogo(tx: Tx, logo: StoredLogo): Promise<StoredLogo | null> {
  const { rows } = await sql<{ key: string | null; type: LogoType | null }>`
    SELECT logo_key AS key, logo_type AS type FROM companies WHERE company_id = ${tx.companyId} FOR UPDATE
  `.execute(tx);
  await sql`
    UPDATE companies SET logo_key = ${logo.key}, logo_type = ${logo.type} WHERE company_id = ${tx.companyId}
  `.execute(tx);
  const [before] = rows;
  return before?.key && before.type ? { key: before.key, type: before.type } : null;
}
