/** Payees of the statement's entries, from the payments: an entry of the ledger has a name at most. */
import type { StatementEntry } from "@malote/contracts/statement";
import { findBankByCode, findBankByIspb } from "@malote/domain/banks";
import { issuerCode } from "@malote/domain/boleto-code";
import { maskPixKey } from "@malote/domain/pix-key";
import { maskTaxId } from "@malote/domain/tax-id";
import { type PayeeRow, readPayeesByPayment } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";

type Complement = StatementEntry["complement"];

function nameOf({ name, description, pix_key, pix_key_type }: PayeeRow): string {
  return name ?? description ?? (pix_key ? `Chave Pix ${maskPixKey(pix_key_type ?? "", pix_key)}` : "");
}

const bankOf = ({ bank_ispb, barcode }: PayeeRow) =>
  bank_ispb ? findBankByIspb(bank_ispb) : barcode ? findBankByCode(issuerCode(barcode) ?? "") : undefined;

/** Returns the part of an entry's complement that a payment gives, with a person's CPF masked (ruling D15). */
export const payeeComplement = (payment: PayeeRow): Pick<Complement, "isTed" | "isPix" | "receiver"> => ({
  isTed: payment.payment_method === "TED",
  isPix: payment.payment_method === "PIX",
  receiver: {
    name: nameOf(payment),
    bank: bankOf(payment)?.name ?? null,
    agency: [payment.agency, payment.agency_digit].filter(Boolean).join("-") || null,
    account: payment.account,
    account_digit: payment.account_digit,
    account_type: payment.account_type,
    document: payment.tax_id && maskTaxId(payment.tax_id),
  },
});

/** Adds the payee to the entries of returned payments. */
export async function addPayees<Entry extends StatementEntry>(
  tx: Tx,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const paymentOf = ({ type, complement }: Entry) => (type === "REFUND" ? complement.transfer_id : undefined);
  const payees = await readPayeesByPayment(
    tx,
    entries.flatMap((entry) => paymentOf(entry) ?? []),
  );
  return entries.map((entry) => {
    const payee = payees.get(paymentOf(entry) ?? "");
    return payee ? { ...entry, complement: { ...entry.complement, ...payeeComplement(payee) } } : entry;
  });
}
