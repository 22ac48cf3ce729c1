/** People and companies paid before, remembered when a batch closes, found again while typing. */
import type { searchReceivers } from "@malote/contracts/transfers";
import type { PixKeyType } from "@malote/domain/pix-key";
import { maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { contains } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { bankOf } from "./present.ts";

/** Suggestions a person can take in at a glance. */
const suggestionsMax = 8;

/** One statement for a whole batch; those already known are left as they are. */
export async function rememberReceivers(tx: Tx, batchId: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO receivers (company_id, id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
      account_type, pix_key_type, pix_key, search_text, created_at)
    SELECT DISTINCT ON (receiver_id(t)) t.company_id, receiver_id(t), t.name, t.tax_id, t.email, t.bank_ispb, t.agency,
      t.agency_digit, t.account, t.account_digit, t.account_type, t.pix_key_type, t.pix_key,
      fold_text(concat_ws(' ', t.name, t.tax_id, t.pix_key, t.account)), ${now}::timestamptz
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
    ON CONFLICT (company_id, id) DO NOTHING
  `.execute(tx);
}

interface ReceiverRow {
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
  pix_key_type: PixKeyType | null;
  pix_key: string | null;
}

export async function search(tx: Tx, { query, actor }: Call<typeof searchReceivers>) {
  // Choosing one fills the form of whoever may pay; to anybody else a stranger's CPF is shown as everywhere (decision 15).
  const shown = (taxId: string | null) =>
    taxId !== null && actor.profile === "analyst" ? maskTaxId(taxId) : taxId;
  const words = query.search.split(/\s+/).filter(Boolean);
  const found = words.map((word) =>
    contains(sql`search_text COLLATE "C"`, word.replace(/[.\-/()](?=\d)|(?<=\d)[.\-/()]/g, "")),
  );
  const { rows } = await sql<ReceiverRow>`
    SELECT id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit, account_type, pix_key_type, pix_key
    FROM receivers WHERE company_id = ${tx.companyId} AND ${sql.join([sql`true`, ...found], sql` AND `)}
    ORDER BY name, id LIMIT ${suggestionsMax}
  `.execute(tx);
  return {
    data: rows.map(({ tax_id, bank_ispb, ...row }) => ({
      ...row,
      cpf_cnpj: shown(tax_id),
      pix_key: row.pix_key_type === "CPF" ? shown(row.pix_key) : row.pix_key,
      bank_id: bank_ispb,
      status: "VERIFIED",
      status_description: null,
      Bank: bankOf(bank_ispb),
    })),
  };
}
