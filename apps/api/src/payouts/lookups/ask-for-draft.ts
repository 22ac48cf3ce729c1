/**
 * First half of the job `ask-lookups`: looks up every key and boleto of a draft, so that a person need not open the
 * payments one by one.
 */
import { spareTokens } from "@malote/domain/directory-allowance";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import type { Services } from "../../platform/services.ts";
import { askAboutBoletos } from "./ask-boletos.ts";
import { askAboutKeys } from "./ask-keys.ts";
import { type KeyToAsk, systemAsker } from "./store.ts";

/**
 * Maximum number of keys and of boletos looked up for a draft. The rest is looked up when a payment is opened: a
 * directory is not for lists.
 */
const askedMax = 1_000;
const blockSize = 100;

async function listKeysAndBarcodes(
  tx: Tx,
  batchId: string,
): Promise<{ keys: KeyToAsk[]; barcodes: string[] }> {
  const ofDraft = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'`;
  const [keys, barcodes] = await Promise.all([
    sql<KeyToAsk>`
      SELECT DISTINCT ON (t.pix_key) t.pix_key_type AS type, t.pix_key AS key, t.name,
        coalesce(t.pix_key_validation, t.tax_id) AS "taxId"
      FROM transfers t WHERE ${ofDraft} AND t.errors IS NULL AND t.pix_key IS NOT NULL ORDER BY t.pix_key, t.position LIMIT ${askedMax}
    `.execute(tx),
    sql<{ barcode: string }>`
      SELECT DISTINCT t.barcode FROM transfers t
      WHERE ${ofDraft} AND t.payment_method = 'BILLET' AND t.barcode IS NOT NULL
        -- Only the register knows whether an overdue boleto can still be paid.
        AND (t.errors IS NULL OR t.errors @> '[{"code":"billet_overdue"}]') LIMIT ${askedMax}
    `.execute(tx),
  ]);
  return { keys: keys.rows, barcodes: barcodes.rows.map(({ barcode }) => barcode) };
}

/** Looks up the keys and boletos of a draft. A repeated run asks only about those that are still unknown. */
export async function askForDraft(
  services: Services,
  { companyId, batchId }: { companyId: string; batchId: string },
): Promise<void> {
  const { keys, barcodes } = await services.db.readCompany(companyId, (tx) =>
    listKeysAndBarcodes(tx, batchId),
  );
  for (let start = 0; start < keys.length; start += blockSize) {
    const block = keys.slice(start, start + blockSize);
    const { limited } = await askAboutKeys(services, companyId, systemAsker, block, spareTokens);
    if (limited) break;
  }
  for (let start = 0; start < barcodes.length; start += blockSize)
    await askAboutBoletos(services, companyId, systemAsker, barcodes.slice(start, start + blockSize));
}
