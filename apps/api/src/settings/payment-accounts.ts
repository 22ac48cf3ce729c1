/** Destinations for money to the company: its Pix keys and its account with us (STM-033, SET-007). */
import type { listPaymentAccounts } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { ownInstitution } from "@malote/domain/own-institution";
import { countsAsRegistered } from "@malote/domain/own-pix-key";
import { bankOnWire, type Company, type CompanyBankAccount } from "../company/index.ts";
import type { PixKeyRow } from "../pix-keys/index.ts";

type PaymentAccount = ResponseOf<typeof listPaymentAccounts>["data"][number];

/** SET-010: returns the account that receives the company's Pix. */
export const providerAccountOf = (company: Company): CompanyBankAccount => ({
  bank_id: ownInstitution().ispb,
  agency: company.agency,
  agency_digit: null,
  account_type: "CONTA_PAGAMENTO",
  account: company.account,
  account_digit: company.accountDigit,
  name: company.name,
  cpfCnpj: company.taxId,
});

export function paymentAccountsOf(company: Company, keys: readonly PixKeyRow[]): PaymentAccount[] {
  const { agency_digit: _, ...numbers } = providerAccountOf(company);
  const account = {
    ...numbers,
    Bank: bankOnWire(ownInstitution()),
    isProviderAccount: true,
    operation_type: null,
  };
  return [
    ...keys
      // A key that the company does not own yet, or no longer owns, cannot be paid.
      .filter(({ status, ownership_date }) => countsAsRegistered(status) && ownership_date !== null)
      .map((key) => ({ ...account, id: key.id, isPix: true, key: key.key, keyType: key.key_type })),
    { ...account, id: company.id, isPix: false, key: null, keyType: null },
  ];
}
