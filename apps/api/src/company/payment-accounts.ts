/** Where money for the company is sent: its Pix keys and its account with us (STM-033, SET-007, PIX-001). */
import type { listPaymentAccounts } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { provider } from "@malote/domain/banks";
import { writeBrCode } from "@malote/domain/br-code";
import { bankOnWire } from "./banks.ts";
import type { Company, PixKeyRow } from "./store.ts";

type PaymentAccount = ResponseOf<typeof listPaymentAccounts>["data"][number];

/** Banks a company may still hold an old account with, but that no balance is sent to any more (STM-034). */
const excludedBankCodes = new Set(["033", "748", "077", "756", "104", "237", "001"]);

export function paymentAccountsOf(company: Company, keys: readonly PixKeyRow[]): PaymentAccount[] {
  const account = {
    Bank: bankOnWire(provider),
    isProviderAccount: true,
    agency: company.agency,
    account: company.account,
    account_digit: company.accountDigit,
    account_type: "CONTA_PAGAMENTO",
    operation_type: null,
    cpfCnpj: company.taxId,
    name: company.name,
    bank_id: provider.ispb,
  };
  const accounts: PaymentAccount[] = [
    ...keys
      .filter(isRegistered)
      .map((key) => ({ ...account, id: key.id, isPix: true, key: key.key, keyType: key.key_type })),
    { ...account, id: company.id, isPix: false, key: null, keyType: null },
  ];
  return accounts.filter(({ Bank }) => Bank.code === null || !excludedBankCodes.has(Bank.code));
}

/** Nobody can pay to a key that is not ours yet, or no more. */
const isRegistered = (key: PixKeyRow) => key.status === "REGISTERED";

/** Brazilian QR codes must name a town; the provider's own stands for all its customers. */
const merchantCity = "SAO PAULO";

export const qrCodeOf = (company: Company, key: PixKeyRow): string | null =>
  isRegistered(key) ? writeBrCode({ key: key.key, merchantName: company.name, merchantCity }) : null;
