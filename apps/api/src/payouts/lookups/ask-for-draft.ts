/**
 * First half of the job `ask-lookups`: looks up every key and boleto of a draft, so that a person need not open the
 * payments one by one.
 */
import { spareTokens } from "@malote/domain/directory-allowance";
import type { Services } from "../../platform/services.ts";
import { askAboutBoletos } from "./ask-boletos.ts";
import { askAboutKeys } from "./ask-keys.ts";
import { listKeysAndBarcodes, systemRequester } from "./store.ts";

/**
 * Maximum number of keys and of boletos looked up for a draft. The rest is looked up when a payment is opened: a
 * directory is not for lists.
 */
const lookupsMax = 1_000;
const blockSize = 100;

/** Looks up the keys and boletos of a draft. A repeated run asks only about those that are still unknown. */
export async function askForDraft(
  services: Services,
  { companyId, batchId }: { companyId: string; batchId: string },
): Promise<void> {
  const { keys, barcodes } = await services.db.readCompany(companyId, (tx) =>
    listKeysAndBarcodes(tx, batchId, lookupsMax),
  );
  for (let start = 0; start < keys.length; start += blockSize) {
    const block = keys.slice(start, start + blockSize);
    const { limited } = await askAboutKeys(services, companyId, systemRequester, block, spareTokens);
    if (limited) break;
  }
  for (let start = 0; start < barcodes.length; start += blockSize)
    await askAboutBoletos(services, companyId, systemRequester, barcodes.slice(start, start + blockSize));
}
