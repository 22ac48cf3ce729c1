import { checkBankAccount, normaliseBankAccount } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { severityOf } from "@malote/domain/issues";
import { normaliseTaxId, taxIdKind } from "@malote/domain/tax-id";
import { AppError } from "../platform/app-error.ts";
import type { Company, CompanyBankAccount } from "./store.ts";

/** SET-011: the shared rules of bank accounts. Answers the account in its own form, or refuses with the wrong fields. */
export function checkCompanyBankAccount(given: CompanyBankAccount, company: Company): CompanyBankAccount {
  const bank = findBankByIspb(given.bank_id);
  if (!bank) throw new AppError("bank_unknown");
  const taxId = normaliseTaxId(given.cpfCnpj);
  const account = normaliseBankAccount({
    bankCode: bank.code,
    agency: given.agency,
    agencyDigit: given.agency_digit ?? "",
    account: given.account,
    accountDigit: given.account_digit,
  });
  const issues = checkBankAccount(
    { ...account, accountType: given.account_type, taxId },
    company.settings.publicEntityNeedsCaixa,
  ).filter((issue) => severityOf(issue) === "error");
  const fields = new Set(issues.map((issue) => issue.field));
  if (taxIdKind(taxId) === undefined) fields.add("cpfCnpj");
  if (given.name.trim().length < 3) fields.add("name");
  if (fields.size > 0) throw new AppError("invalid_request", { fields: [...fields], issues });
  return {
    bank_id: bank.ispb,
    agency: account.agency,
    agency_digit: account.agencyDigit || null,
    account_type: given.account_type,
    account: account.account,
    account_digit: account.accountDigit,
    name: given.name.trim(),
    cpfCnpj: taxId,
  };
}
