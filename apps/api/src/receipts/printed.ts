/** Converts a payment's row to the printed data, including its seal. */
import type { BrandId } from "@malote/domain/brands";
import type { PaidPayment, ReceiptPayer } from "@malote/domain/receipt";
import { readCompany } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";

/** Payer and brand of the receipts. */
export interface Issuer {
  brand: BrandId;
  payer: ReceiptPayer;
}

/** Data of a receipt; it can be passed to another process. */
export interface SealedPayment {
  paid: PaidPayment;
  /** Proof that the receipt is ours: only a holder of the installation's secret can compute it. */
  authenticity: string;
}

export async function readIssuer(tx: Tx): Promise<Issuer> {
  const { brand, name, taxId, agency, account, accountDigit } = await readCompany(tx);
  return { brand, payer: { name, taxId, agency, account, accountDigit } };
}

/**
 * Seals the facts of a payment: who paid whom, how much and when. The batch's name is excluded, so a rename changes no
 * seal.
 */
export function sealPayment(
  { secrets }: Pick<Services, "secrets">,
  companyId: string,
  paid: PaidPayment,
): SealedPayment {
  const { id, value, paidAt, endToEndId, name, taxId, pixKey, bankIspb, agency, account, barcode } = paid;
  const facts = [
    companyId,
    id,
    value,
    paidAt.toISOString(),
    endToEndId,
    name,
    taxId,
    pixKey,
    bankIspb,
    agency,
    account,
    ...(barcode === null ? [] : [barcode]),
  ];
  return { paid, authenticity: sealOf(secrets, ["receipt", ...facts]) };
}

/** Computes a seal over facts that never change after the money moved. */
export function sealOf(secrets: Services["secrets"], facts: readonly unknown[]): string {
  const seal = secrets.seal(JSON.stringify(facts)).slice(0, 32).toUpperCase();
  return seal.match(/.{4}/g)?.join(".") ?? seal;
}
