/** From a payment's row to what is printed, its seal included. */
import type { PaidTransfer, ReceiptPayer } from "@malote/domain/receipt";
import { readCompany } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";

/** Whose receipts they are, in whose colours. */
export interface Issuer {
  brand: "malote" | "horizonte";
  payer: ReceiptPayer;
}

/** What a receipt is drawn from; it can be handed to a thread. */
export interface SealedPayment {
  transfer: PaidTransfer;
  /** Proves that a receipt is ours: only a holder of the installation's secret can make it. */
  authenticity: string;
}

export async function readIssuer(tx: Tx): Promise<Issuer> {
  const { brand, name, taxId, agency, account, accountDigit } = await readCompany(tx);
  return { brand, payer: { name, taxId, agency, account, accountDigit } };
}

/** Over what the payment was: who paid whom how much and when. Renaming a batch changes no seal. */
export function sealPayment(
  { secrets }: Pick<Services, "secrets">,
  companyId: string,
  transfer: PaidTransfer,
): SealedPayment {
  const { id, value, paidAt, endToEndId, name, taxId, pixKey, bankIspb, agency, account, barcode } = transfer;
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
  return { transfer, authenticity: sealOf(secrets, ["receipt", ...facts]) };
}

/** Over facts that never change once the money moved. */
export function sealOf(secrets: Services["secrets"], facts: readonly unknown[]): string {
  const seal = secrets.seal(JSON.stringify(facts)).slice(0, 32).toUpperCase();
  return seal.match(/.{4}/g)?.join(".") ?? seal;
}
